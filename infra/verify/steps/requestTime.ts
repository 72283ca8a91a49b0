import { GATEWAY_MS, READ_MS } from '../../promises.ts';
import type { Place } from '../Place.ts';
import { quantile } from '../Samples.ts';
import { differs, ok, type Step, type Verdict } from '../Step.ts';

const REQUESTS = 20;

/** What API Gateway and the authorizer add to a request. */
export const requestTime: Step<readonly number[]> = {
  id: 'request-time',
  expects: `A small read takes at most ${GATEWAY_MS.most} ms at API Gateway and the authorizer, and ${READ_MS} in the function, beside the way there and back.`,
  async observe({ api, clock }) {
    const path = '/api/v1/namespaces/default';
    // The first ones find the authorizer's answer not cached, and the connection not open.
    await api.get(path);
    await api.get(path);
    const times: number[] = [];
    for (let at = 0; at < REQUESTS; at += 1) {
      const beganMs = clock.now();
      await api.get(path);
      times.push(clock.now() - beganMs);
    }
    return times;
  },
  judge: judgeRequests,
};

export function judgeRequests(
  ms: readonly number[],
  { roundTripMs, isLocal }: Pick<Place, 'roundTripMs' | 'isLocal'>,
): Verdict {
  const [p50, p95] = [quantile(ms, 0.5), quantile(ms, 0.95)].map(Math.round);
  const beyond = Math.round(quantile(ms, 0.5) - roundTripMs);
  const found = `Half of ${ms.length} reads take at most ${p50} ms, 95 % at most ${p95}; the way there and back is ${Math.round(roundTripMs)} ms of it`;
  if (isLocal) return ok(`${found}. Not compared: the server is on this machine.`);
  return beyond <= GATEWAY_MS.most + READ_MS ? ok(`${found}.`) : differs(`${found}. What is left is ${beyond} ms.`);
}
