import type { ControlPlane } from '../local/startControlPlane.ts';
import type { ClientTraffic } from './ClientTraffic.ts';

const NAMED_KEYS = 3;

/** What began while a cluster was to settle. */
interface BusySince {
  readonly syncCount: number;
  readonly requestCount: number;
}

/** The cluster has not settled in time. The message names what has kept it busy. */
export class SettleTimeoutError extends Error {}

/** Begins to count what keeps a cluster busy. The returned function makes the error, when the time is over. */
export function startCounting(
  controlPlane: Pick<ControlPlane, 'syncCount' | 'history'>,
  traffic: ClientTraffic,
  timeoutMs: number,
): () => SettleTimeoutError {
  const before: BusySince = { syncCount: controlPlane.syncCount(), requestCount: traffic.requestCount };
  return () => {
    const syncs = controlPlane.syncCount() - before.syncCount;
    const requests = traffic.requestCount - before.requestCount;
    const keys = controlPlane.history.latestKeys(NAMED_KEYS).join(', ');
    const busy = [
      ...(syncs > 0 ? [`${syncs} syncs, the last of ${keys}`] : []),
      ...(requests > 0 ? [`${requests} requests of clients, the last ${traffic.lastRequest}`] : []),
    ];
    const why = busy.length > 0 ? busy.join('; ') : `a sync or a request has not ended; the last syncs were of ${keys}`;
    return new SettleTimeoutError(
      `the cluster did not settle within ${timeoutMs / 1000} s: something keeps it busy: ${why}`,
    );
  };
}
