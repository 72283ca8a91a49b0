import { describe, expect, it } from 'vitest';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { compileValidatingPolicy } from '../../../lambdas/registry/admission/policies/ValidatingPolicy.ts';
import { COST_EXCEEDED } from '../../../lambdas/registry/cel/evaluate/evaluate.ts';
import { threadCpuMs } from '../../fuzz/growth/threadCpuMs.ts';

/** A policy's variables, each made from the one before it: `v` in the expression stands for that. */
interface Growth {
  readonly name: string;
  readonly first: string;
  readonly next: string;
  readonly condition?: string;
}

/** The next finding is one line. */
const GROWTHS: readonly Growth[] = [
  { name: 'a list is added to itself', first: '[1]', next: 'v + v' },
  { name: 'a text is added to itself', first: '"abc"', next: 'v + v' },
  { name: 'bytes are added to themselves', first: 'b"abc"', next: 'v + v' },
  { name: 'a list holds itself twice', first: '[1]', next: '[v, v]' },
  { name: 'a list that holds itself twice is compared', first: '[1]', next: '[v, v]', condition: 'v == v' },
  { name: 'a map holds itself twice', first: '{"a": 1}', next: '{"a": v, "b": v}' },
  { name: 'a fold adds lists', first: '[1, 2]', next: '[1, 2].map(x, v + v)[0]' },
  { name: 'a fold makes a map of lists', first: '[1]', next: '{"a": v}.transformMap(k, l, l + l)["a"]' },
  { name: 'a fold keeps its list twice', first: '[[1]]', next: '[1, 2].map(x, v)' },
  { name: 'a format repeats a text', first: '"abc"', next: '"%s%s".format([v, v])' },
  { name: 'a replacement repeats a text', first: '"aaa"', next: 'v.replace("a", "aa")' },
  { name: 'a replacement is as long as its text', first: '"aaa"', next: 'v.replace("a", v)' },
  { name: 'a join repeats a text', first: '"abc"', next: '[v, v].join(v)' },
  { name: 'a split text is joined with itself', first: '"a,a"', next: 'v.split(",").join(v + ",") + v' },
  { name: 'a list is flattened', first: '[1]', next: '[v, v].flatten()' },
];

const STEPS = 40;
const MAX_MIB = 300;
/** Processor time of this thread. */
const MAX_MS = 1_500;

function evaluateGrowth({ first, next, condition = 'size(v) > 0' }: Growth) {
  const of = (text: string, index: number) => text.replace(/\bv\b/g, `variables.v${index}`);
  const variables = Array.from({ length: STEPS }, (_, index) => ({
    name: `v${index}`,
    expression: index === 0 ? first : of(next, index - 1),
  }));
  const policy = compileValidatingPolicy({ variables, validations: [{ expression: of(condition, STEPS - 1) }] });
  const request = { operation: 'CREATE', namespace: 'a', userInfo: { username: 'ann', groups: [] }, dryRun: false };
  return policy.evaluate({
    object: {},
    oldObject: null,
    request,
    namespaceObject: null,
    params: null,
    budget: new RequestBudget(),
  });
}

describe('variables that grow with each step', () => {
  it.each(GROWTHS)('are stopped: $name', (growth) => {
    const beforeBytes = process.resourceUsage().maxRSS * 1024;
    const begunMs = threadCpuMs();
    const { decisions } = evaluateGrowth(growth);
    expect(JSON.stringify(decisions)).toMatch(new RegExp(`${COST_EXCEEDED}|running out of cost budget`));
    expect(threadCpuMs() - begunMs).toBeLessThan(MAX_MS);
    expect((process.resourceUsage().maxRSS * 1024 - beforeBytes) / 1024 / 1024).toBeLessThan(MAX_MIB);
  });
});
