import { expect, it } from 'vitest';
import { Reinvocation } from '../../../../lambdas/registry/admission/webhooks/Reinvocation.ts';

type Call = readonly [id: string, changed: boolean, wantsAgain: boolean];

const again = (id: string, changed = false): Call => [id, changed, true];
const once = (id: string, changed = false): Call => [id, changed, false];

it.each<{ title: string; calls: readonly Call[]; readmitted?: boolean; due: string[] }>([
  { title: 'none if nothing changes', calls: [again('a'), again('b')], due: [] },
  { title: 'not the one that changes the object', calls: [again('a', true)], due: [] },
  {
    title: 'those before the one that changes the object',
    calls: [again('a'), once('b'), once('c', true), again('d')],
    due: ['a'],
  },
  { title: 'the first of two that change the object', calls: [again('a', true), again('b', true)], due: ['a'] },
  {
    title: 'all that want to if the server changes the object',
    calls: [again('a'), once('b', true), again('c')],
    readmitted: true,
    due: ['a', 'c'],
  },
  { title: 'none that do not want to', calls: [once('a'), once('b', true)], readmitted: true, due: [] },
])('asks a second time $title', ({ calls, readmitted = false, due }) => {
  const reinvocation = new Reinvocation();
  for (const [id, changed, wantsAgain] of calls) reinvocation.noteCall(id, { changed, wantsAgain });
  reinvocation.endRound({ data: {} });
  reinvocation.beginAgain(readmitted ? { data: { a: '1' } } : { data: {} });
  expect(['a', 'b', 'c', 'd'].filter((id) => reinvocation.isDue(id))).toEqual(due);
});
