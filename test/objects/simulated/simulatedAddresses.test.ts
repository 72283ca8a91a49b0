import { describe, expect, test } from 'vitest';
import {
  madeUpNodeAddress,
  simulatedNodeAddress,
  simulatedPodAddress,
} from '../../../lambdas/objects/simulated/simulatedAddresses.ts';

const BENCHMARK_NETWORK = /^198\.1[89]\.\d{1,3}\.\d{1,3}$/;

function podAddresses(count: number, step: number): Set<string> {
  const versions = Array.from({ length: count }, (_, index) => `${1 + index * step}`);
  return new Set(versions.map((resourceVersion) => simulatedPodAddress({ resourceVersion, uid: 'same' })));
}

describe('the addresses of simulated pods', () => {
  test.each([1, 2, 4, 254, 1000])('differ while 65,011 versions are drawn, %d apart', (step) => {
    const addresses = podAddresses(65_011, step);
    expect(addresses.size).toBe(65_011);
    expect([...addresses].filter((one) => !/^198\.18\.\d{1,3}\.(?!0$|255$)\d{1,3}$/.test(one))).toEqual([]);
  });

  test('are derived from the UID of a pod without a version', () => {
    const [one, other] = ['uid-1', 'uid-2'].map((uid) => simulatedPodAddress({ uid }));
    expect(one).toMatch(BENCHMARK_NETWORK);
    expect(one).not.toBe(other);
  });
});

describe('the addresses of simulated nodes', () => {
  test('differ for 32,767 nodes, and no pod has one of them', () => {
    const addresses = Array.from({ length: 32_767 }, (_, index) => simulatedNodeAddress(index + 1));
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(addresses.filter((one) => !/^198\.19\.\d{1,3}\.\d{1,3}$/.test(one))).toEqual([]);
  });

  test('are made up for a node without one, apart from the others', () => {
    expect(madeUpNodeAddress('gone')).toMatch(/^198\.19\.(?:12[89]|1[3-9]\d|2\d\d)\.\d{1,3}$/);
  });
});
