import { type Cloud, cloudOf, type Place, unlessInCloud } from '../Place.ts';
import { poll } from '../RunClock.ts';
import { type DeployedStack, deployedOfType } from '../StackAccount.ts';
import { failed, ok, type Step, type Verdict } from '../Step.ts';

type Rows = readonly Readonly<Record<string, string>>[];

/** Lines can be found some seconds to a minute after they were written. */
const UNTIL_FOUND = { everyMs: 10_000, patienceMs: 180_000 };

/** The rows of a query over what was logged since the run began; none if there are none after three minutes. */
async function rowsSoon(place: Place, logGroup: string, query: string): Promise<Rows> {
  const { account } = cloudOf(place);
  const ask = async () => {
    const toMs = place.clock.now() + 60_000;
    const rows = await account.observations.queryLogs({ logGroup, query, fromMs: place.beganMs, toMs });
    return rows.length > 0 ? rows : undefined;
  };
  return (await poll(place.clock, UNTIL_FOUND, ask)) ?? [];
}

function logGroupOf(stack: DeployedStack, prefix: string): string | undefined {
  return deployedOfType(stack, 'AWS::Logs::LogGroup', prefix)[0]?.physicalId;
}

function requireGroup(name: string | undefined): string {
  if (name !== undefined) return name;
  throw new Error('the stack has no such log group');
}

/** Whether the lines of API Gateway's access log are JSON with numbers, by which alarms count. */
export const accessLog: Step<Rows> = {
  id: 'access-log',
  expects: 'Lines of the access log are JSON, in which `latencyMs` is a number.',
  unavailable: (place) =>
    unlessInCloud(place, ({ stack }) => (logGroupOf(stack, 'AccessLog') ? undefined : '`accessLogs` is off')),
  observe: (place) =>
    rowsSoon(
      place,
      requireGroup(logGroupOf(cloudOf(place).stack, 'AccessLog')),
      'filter latencyMs >= 0 | stats count(*) as requests, pct(latencyMs, 50) as p50 by method | sort requests desc',
    ),
  judge: judgeAccessLog,
};

export function judgeAccessLog(rows: Rows): Verdict {
  const timed = rows.filter(({ p50 = '' }) => p50 !== '' && Number.isFinite(Number(p50)));
  if (timed.length === 0) return failed('No line of the access log has a number as `latencyMs`.');
  const found = timed.map(
    ({ method, requests, p50 }) => `${requests} ${method}, half within ${Math.round(Number(p50))} ms`,
  );
  return ok(`API Gateway has logged ${found.join('; ')}.`);
}

/** Whether the API may write the audit log, and does so before its function sleeps. */
export const audit: Step<Rows> = {
  id: 'audit',
  expects: 'What this run has asked of the API is in the audit log within three minutes.',
  unavailable: (place) =>
    unlessInCloud(place, ({ stack }) => (auditGroup(stack) === undefined ? '`audit` is off' : undefined)),
  observe: (place) =>
    rowsSoon(
      place,
      requireGroup(auditGroup(cloudOf(place).stack)),
      `filter objectRef.namespace = "${place.namespace}" | stats count(*) as events by verb | sort events desc`,
    ),
  judge: judgeAudit,
};

function auditGroup({ outputs }: Cloud['stack']): string | undefined {
  return outputs['AuditLogGroup'];
}

export function judgeAudit(rows: Rows): Verdict {
  if (rows.length === 0) return failed('No event in the audit log is about this run.');
  return ok(`The audit log has of this run: ${rows.map(({ events, verb }) => `${events} ${verb}`).join(', ')}.`);
}

export interface HopFacts {
  /** What each hop has taken, in ms; undefined if there is nothing to be found of it. */
  readonly averageMs: Readonly<Record<string, number | undefined>>;
}

interface Hop {
  /** What ends it begins it: `change read by record`. */
  readonly name: string;
  /** What it may take on average; absent if the models have no such figure. */
  readonly atMostMs?: number;
  readonly measure: (place: Place) => Promise<number | undefined>;
}

/** Lambda reads a shard four times a second, and a change can be read some 200 ms after it was written at the latest: together at most so much on average. */
const CHANGE_READ_MS = 500;

/** The hops of a change on its way to the last write that follows from it. One that is measured otherwise is a line more. */
const HOPS: readonly Hop[] = [
  { name: 'change read by record', atMostMs: CHANGE_READ_MS, measure: (place) => iteratorAge(place, 'RecordFunction') },
  {
    name: 'change read by enqueue',
    atMostMs: CHANGE_READ_MS,
    measure: (place) => iteratorAge(place, 'EnqueueFunction'),
  },
  { name: 'a sync', measure: syncDuration },
];

/** How long a change takes from hop to hop, as CloudWatch knows it. */
export const hops: Step<HopFacts> = {
  id: 'hops',
  expects: `\`record\` and \`enqueue\` get a change within ${CHANGE_READ_MS} ms on average: Lambda reads each shard four times a second.`,
  unavailable: unlessInCloud,
  async observe(place) {
    const measured: [string, number | undefined][] = [];
    for (const { name, measure } of HOPS) measured.push([name, await measure(place)]);
    return { averageMs: Object.fromEntries(measured) };
  },
  judge: judgeHops,
};

async function iteratorAge(place: Place, logicalId: string): Promise<number | undefined> {
  const { account, stack } = cloudOf(place);
  const FunctionName = stack.physicalIds[logicalId];
  if (FunctionName === undefined) return undefined;
  const query = {
    namespace: 'AWS/Lambda',
    name: 'IteratorAge',
    dimensions: { FunctionName },
    statistic: 'Average',
  } as const;
  const values = await poll(place.clock, UNTIL_FOUND, async () => {
    const found = await account.observations.metric({ ...query, fromMs: place.beganMs, toMs: place.clock.now() });
    return found.length > 0 ? found : undefined;
  });
  return values && values.reduce((sum, value) => sum + value, 0) / values.length;
}

async function syncDuration(place: Place): Promise<number | undefined> {
  const logGroup = logGroupOf(cloudOf(place).stack, 'SyncFunctionLog');
  if (logGroup === undefined) return undefined;
  const [row] = await rowsSoon(place, logGroup, 'filter message = "sync" | stats avg(durationMs) as average');
  return row?.['average'] === undefined ? undefined : Number(row['average']);
}

export function judgeHops({ averageMs }: HopFacts): Verdict {
  const missing = HOPS.filter(({ name }) => averageMs[name] === undefined).map(({ name }) => name);
  if (missing.length > 0) return failed(`CloudWatch knows nothing of: ${missing.join(', ')}.`);
  const found = HOPS.map(({ name }) => `${name}: ${Math.round(averageMs[name] ?? Number.NaN)} ms on average`).join(
    '; ',
  );
  const slow = HOPS.filter(({ name, atMostMs = Number.POSITIVE_INFINITY }) => (averageMs[name] ?? 0) > atMostMs);
  if (slow.length === 0) return ok(`${found}.`);
  return { kind: 'differs', seen: `${found}. Slower than promised: ${slow.map(({ name }) => name).join(', ')}.` };
}
