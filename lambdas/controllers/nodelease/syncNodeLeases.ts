import type { ApiError } from '../../objects/ApiError.ts';
import type { Node } from '../../objects/kinds.ts';
import { isSimulatedNode } from '../../objects/simulated/simulatedNodes.ts';
import { formatMicroTime } from '../../ports/Clock.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import { LEASE_NAMESPACE, LEASES } from '../nodelifecycle/keysForChange.ts';
import { reasonInWords } from './nodeLeaseReasons.ts';
import { decideRenewals, type Lease, nodeLease, type Renewal, withReport } from './decideRenewals.ts';

/** How many leases are written at a time. */
const AT_A_TIME = 25;

/** Renews the leases that are due, and asks to be run again. Without simulated nodes it ends; the next one that is created starts it again. */
export async function syncNodeLeases(paceMs: number, context: SyncContext): Promise<SyncReport> {
  const { registry, nowMs } = context;
  const nodes = (await registry.list<Node>('nodes')).items.filter(isSimulatedNode);
  if (nodes.length === 0) return report([], 0, undefined);
  const leases = (await registry.list<Lease>(LEASES, { namespace: LEASE_NAMESPACE })).items;
  const writes: string[] = [];
  for (const node of nodes) writes.push(...(await reportAgain(node, context)));
  const renewals = decideRenewals(nodes, leases, nowMs, paceMs);
  let renewed = 0;
  for (; renewed < renewals.length && context.mayGoOn(); renewed += AT_A_TIME) {
    const some = renewals.slice(renewed, renewed + AT_A_TIME);
    writes.push(...(await Promise.all(some.map((renewal) => renew(renewal, context)))).flat());
  }
  return report(writes, nodes.length, renewed < renewals.length ? 0 : paceMs);
}

function report(writes: readonly string[], nodes: number, delayMs: number | undefined): SyncReport {
  const why = [reasonInWords({ reason: 'renewsLeases', renewed: writes.length, nodes })];
  return { outcome: delayMs === undefined ? { status: 'done' } : { status: 'requeueAfter', delayMs }, why, writes };
}

async function reportAgain(node: Node, { registry, nowMs }: SyncContext): Promise<readonly string[]> {
  const reported = withReport(node, nowMs);
  if (!reported) return [];
  const outcome = await registry.update<Node>('nodes', reported, { subresource: 'status', from: node });
  return outcome.status === 'refused' ? ignore(outcome.error) : [`status of nodes ${node.metadata.name}`];
}

async function renew({ nodeName, lease }: Renewal, { registry, nowMs }: SyncContext): Promise<readonly string[]> {
  const outcome = lease
    ? await registry.update<Lease>(
        LEASES,
        { ...lease, spec: { ...lease.spec, renewTime: formatMicroTime(nowMs) } },
        { from: lease },
      )
    : await registry.create(LEASES, nodeLease(nodeName, nowMs));
  return outcome.status === 'refused' ? ignore(outcome.error) : [`renew ${LEASES} ${nodeName}`];
}

/** What somebody else has written meanwhile is looked at when the leases are renewed next. */
function ignore(error: ApiError): readonly string[] {
  if (['AlreadyExists', 'Conflict', 'Forbidden', 'NotFound'].includes(error.reason)) return [];
  throw error;
}
