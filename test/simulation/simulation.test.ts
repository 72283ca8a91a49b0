// Slow: forty worlds, each with its own faults, and most of them twice.
import { describe, expect, test } from 'vitest';
import { drawScript } from './drawScript.ts';
import { expectSeedsToHold } from './expectSeedsToHold.ts';
import { MUTATIONS } from './mutations.ts';
import { parseSimOptions } from './parseSimOptions.ts';
import { Random } from './Random.ts';
import { runSeed } from './runSeed.ts';
import { createSeedPool } from './seedPool.ts';

// The other 80 are in simulation.check.test.ts.
expectSeedsToHold(1, 40);

describe('whatever fails, stalls or comes twice', () => {
  test('a seed is the same run every time', async () => {
    const [once, again, other] = [await runSeed(77), await runSeed(77), await runSeed(78)];
    expect(again).toEqual(once);
    expect(other.digest).not.toBe(once.digest);
  });

  test('several processes give the results of one, in the same order', { timeout: 60_000 }, async () => {
    const digestsOf = async (processes: number) => {
      const digests: string[] = [];
      for await (const { digest } of createSeedPool(processes).run(5, 4, {
        isCloud: false,
        mutation: undefined,
        before: undefined,
      }))
        digests.push(digest);
      return digests;
    };
    expect(await digestsOf(2)).toEqual(await digestsOf(1));
  });

  test('scripts of both kinds are drawn: with an end that can be foretold, and without', () => {
    const scripts = Array.from({ length: 50 }, (_, seed) => drawScript(new Random(seed)));
    expect(new Set(scripts.map(({ commutes }) => commutes))).toEqual(new Set([true, false]));
  });

  test('every kind of action and of upkeep is drawn', () => {
    const scripts = Array.from({ length: 300 }, (_, seed) => drawScript(new Random(seed)));
    const ops = new Set<string>(scripts.flatMap((script) => script.ops.map(({ op }) => op.op)));
    const wanted = ['runPod', 'takeName', 'quota', 'deleteNamespace', 'autoRollback', 'attachPods', 'undo'];
    expect(wanted.filter((op) => !ops.has(op))).toEqual([]);
    const upkeep = new Set<string>(scripts.flatMap((script) => script.upkeep.map(({ what }) => what)));
    expect(upkeep).toEqual(new Set(['restart', 'resync']));
  });
});

describe('the command line', () => {
  test.each([
    ['--sedes 3', 'unknown option "--sedes"'],
    ['--seeds', '--seeds needs a value'],
    ['--seeds 0', '--seeds needs a whole number from 1 to 4294967295, not "0"'],
    ['--seed -1', '--seed needs a whole number from 0 to 4294967295, not "-1"'],
    ['--mutate none', 'there is no mutation "none"; --list-mutations names them'],
  ])('%s is refused', (line, problem) => {
    expect(parseSimOptions(line.split(' '))).toEqual({ run: 'usage', problem });
  });

  test('without a seed a random one is drawn', () => {
    const drawn = [1, 2, 3].map(() => parseSimOptions(['--seeds', '5']));
    expect(new Set(drawn.map((options) => (options.run === 'seeds' ? options.seed : undefined))).size).toBe(3);
  });

  test('at least ten defects can be named', () => {
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(10);
    expect(new Set(MUTATIONS.map(({ name }) => name)).size).toBe(MUTATIONS.length);
  });
});
