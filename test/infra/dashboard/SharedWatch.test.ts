import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SharedWatch } from '../../../infra/dashboard/server/SharedWatch.ts';

/** An answer of the API: a list, a watch that says these events and then ends or goes on, or a Status. */
type Answer =
  | { readonly list: readonly object[]; readonly version: string }
  | { readonly events: readonly object[]; readonly goesOn?: boolean }
  | { readonly status: number; readonly message: string };

/** An API that gives these answers in turn. */
function apiOf(answers: readonly Answer[]) {
  const asked: string[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const send = async (path: string, init?: RequestInit) => {
    const answer = answers[asked.length] ?? { events: [], goesOn: true };
    asked.push(path.replace(/^.*?(\?|$)/, '').replace(/.*resourceVersion=/, 'watch from ') || 'list');
    signals.push(init?.signal ?? undefined);
    if ('status' in answer)
      return new Response(JSON.stringify({ kind: 'Status', message: answer.message }), { status: answer.status });
    if ('list' in answer) return Response.json({ metadata: { resourceVersion: answer.version }, items: answer.list });
    return new Response(
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const event of answer.events) controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n`));
          if (!answer.goesOn) controller.close();
        },
      }),
    );
  };
  return { send, asked, signals };
}

function pod(name: string, version: string) {
  return { kind: 'Pod', metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: version } };
}

const EXPIRED = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', metadata: {} } };

function followed(answers: readonly Answer[]) {
  const api = apiOf(answers);
  const watch = new SharedWatch(api.send, '/api/v1/pods');
  const told: (string | undefined)[] = [];
  const leave = watch.follow((object) => told.push(object?.metadata.name));
  onTestFinished(() => watch.stop());
  return { ...api, watch, told, leave, names: () => [...watch.all()].map(({ metadata }) => metadata.name) };
}

describe('a shared watch', () => {
  test('lists, watches from there, and goes on from the last version when the watch ends', async () => {
    const { asked, told, names } = followed([
      { list: [pod('a', '4')], version: '5' },
      { events: [{ type: 'ADDED', object: pod('b', '6') }] },
      { events: [{ type: 'DELETED', object: pod('a', '7') }], goesOn: true },
    ]);
    await vi.waitFor(() => expect(told).toEqual([undefined, 'b', 'a']));
    expect(asked).toEqual(['list', 'watch from 5', 'watch from 6']);
    expect(names()).toEqual(['b']);
  });

  test.each([
    ['in the watch', { events: [EXPIRED] }],
    ['as the answer', { status: 410, message: 'too old resource version' }],
  ])('lists anew after a 410 %s, and shows no problem', async (_, expired) => {
    const { asked, told, names, watch } = followed([
      { list: [pod('a', '4')], version: '5' },
      expired,
      { list: [pod('b', '8')], version: '9' },
    ]);
    const problems: (string | undefined)[] = [];
    watch.follow(() => problems.push(watch.problem));
    await vi.waitFor(() => expect(asked).toEqual(['list', 'watch from 5', 'list', 'watch from 9']), 5_000);
    expect(names()).toEqual(['b']);
    expect(told.filter((one) => one !== undefined)).toEqual([]);
    expect(problems.filter((one) => one !== undefined)).toEqual([]);
  });

  test('waits ever longer while each watch ends with an error', async () => {
    const error = { events: [{ type: 'ERROR', object: { kind: 'Status', code: 500, metadata: {} } }] };
    const list = { list: [], version: '5' };
    const beganMs = performance.now();
    const { asked } = followed([list, error, list, error, list, error, list]);
    await vi.waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(7), 10_000);
    // The pauses are at least 100, 200 and 400 ms.
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(690);
  });

  test('says why it sees nothing, until it does', async () => {
    const { watch, names } = followed([
      { status: 403, message: 'pods is forbidden' },
      { list: [pod('a', '4')], version: '5' },
    ]);
    await vi.waitFor(() => expect(watch.problem).toContain('pods is forbidden'));
    await vi.waitFor(() => expect(names()).toEqual(['a']), 5_000);
    expect(watch.problem).toBeUndefined();
  });

  test('finds by name the newest of two with one name', async () => {
    const again = { ...pod('a', '6'), metadata: { ...pod('a', '6').metadata, uid: 'other' } };
    const { watch, told } = followed([
      { list: [pod('a', '4')], version: '5' },
      {
        events: [
          { type: 'ADDED', object: again },
          { type: 'DELETED', object: pod('a', '7') },
        ],
        goesOn: true,
      },
    ]);
    await vi.waitFor(() => expect(told).toEqual([undefined, 'a', 'a']));
    expect(watch.named('default', 'a')?.metadata.uid).toBe('other');
    expect(watch.named('default', 'b')).toBeUndefined();
  });

  test('ends with the last who follows, and forgets', async () => {
    const { watch, leave, signals, asked } = followed([{ list: [pod('a', '4')], version: '5' }]);
    const second = watch.follow(() => {});
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    leave();
    expect(watch.isRunning).toBe(true);
    second();
    expect(watch.isRunning).toBe(false);
    expect(signals.at(-1)?.aborted).toBe(true);
    expect([...watch.all()]).toEqual([]);
  });

  test('a problem is over as soon as the watch is answered again, before anything changes', async () => {
    let isAway = false;
    let cut = () => {};
    const send = async (path: string): Promise<Response> => {
      if (isAway) throw new Error('no server answers');
      if (!path.includes('watch=')) return Response.json({ metadata: { resourceVersion: '1' }, items: [] });
      return new Response(
        new ReadableStream({
          start: (controller) => {
            cut = () => controller.error(new Error('cut off'));
          },
        }),
      );
    };
    const watch = new SharedWatch(send, '/api/v1/pods');
    const leave = watch.follow(() => {});
    await vi.waitFor(() => expect([watch.isKnown, watch.begunCount]).toEqual([true, 1]));
    isAway = true;
    cut();
    await vi.waitFor(() => expect(watch.problem).toBe('no server answers'), { timeout: 10_000 });
    isAway = false;
    await vi.waitFor(() => expect(watch.problem).toBeUndefined(), { timeout: 10_000 });
    leave();
  });
});
