import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulation, startEmulation } from '../../infra/emulation/startEmulation.ts';
import { isCloud } from './serverArguments.ts';

const PODS = '/api/v1/namespaces/default/pods';
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const RATE = { perSecond: 5, burst: 10 };
/** A lease's time, and the difference of clocks that are one. */
const SLACK_SECONDS = 1;
const FLOOD_SECONDS = 10;

describe.skipIf(!isCloud)('two users of the emulated cloud, of which one floods it (npm run test:cloud)', () => {
  let emulation: Emulation;
  let token: string;
  beforeAll(async () => {
    emulation = await startEmulation({ accountConcurrency: 1_000, requestLimits: { user: RATE } });
    // The authorizer's answer is remembered for one token.
    token = emulation.token();
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:authenticated' }];
    const body = JSON.stringify({ metadata: { name: 'all-view' }, roleRef, subjects });
    expect((await ask(undefined, BINDINGS, { method: 'POST', body })).status).toBe(201);
  }, 240_000);
  afterAll(() => emulation?.stop());

  /** `user`: whom the administrator impersonates. */
  const ask = (user: string | undefined, path: string, init: RequestInit = {}) =>
    fetch(emulation.url + path, {
      ...init,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(user !== undefined && { 'Impersonate-User': user }),
      },
    });

  it('has the schemas of every cluster, to which the headers of answers refer', async () => {
    const answer = await ask('ann', PODS);
    const path = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/global-default';
    const { metadata } = (await (await ask(undefined, path)).json()) as { metadata: { uid: string } };
    expect(answer.headers.get('x-kubernetes-pf-flowschema-uid')).toBe(metadata.uid);
  });

  it('the one gets what its limit allows, and the other is answered each time', async () => {
    const flood = { admitted: 0, refused: 0 };
    const beganMs = performance.now();
    const secondsOfFlood = () => (performance.now() - beganMs) / 1_000;
    // As client-go does, a client that is refused waits as long as it is told.
    const floodOn = async () => {
      while (secondsOfFlood() < FLOOD_SECONDS) {
        const answer = await ask('flood', PODS);
        await answer.text();
        if (answer.status === 200) flood.admitted += 1;
        else flood.refused += 1;
        if (answer.status === 429) await pause(1_000 * Number(answer.headers.get('retry-after') ?? '1'));
      }
    };
    const flooding = Promise.all(Array.from({ length: 8 }, floodOn));
    const codes = new Set<number>();
    while (secondsOfFlood() < FLOOD_SECONDS) {
      const answer = await ask('light', PODS);
      await answer.text();
      codes.add(answer.status);
      await pause(700);
    }
    await flooding;
    expect([...codes]).toEqual([200]);
    expect(flood.refused).toBeGreaterThan(0);
    expect(flood.admitted).toBeLessThanOrEqual(RATE.perSecond * (secondsOfFlood() + SLACK_SECONDS) + RATE.burst);
  }, 60_000);
});
