import { type Aws, openAws } from '../adapters/aws/openAws.ts';
import { SystemClock } from '../adapters/clocks/SystemClock.ts';
import { SystemIds } from '../adapters/ids/SystemIds.ts';
import type { Controller } from '../controllers/Controller.ts';
import type { ObjectStore } from '../ports/ObjectStore.ts';
import type { SpanSink } from '../ports/Tracing.ts';
import type { WorkQueue } from '../ports/WorkQueue.ts';
import type { Registry } from '../registry/Registry.ts';
import type { DirectKeys } from './direct/DirectKeys.ts';
import { createLog, type Log } from './createLog.ts';
import { logSetupProblems } from './logSetupProblems.ts';
import { EMULATED, type StoreEnvironment } from './readEnvironment.ts';

/** What every function is composed over: the clients of AWS, its clock and ids, and its log. */
export interface Cloud extends Aws {
  readonly log: Log;
  /** All clients are on the machine of the functions, which is so in the emulated cloud alone. Absent: no. */
  readonly hasLocalClients?: boolean;
  /** The endpoint of CloudWatch Logs. Absent: the service's own in the region. */
  readonly logsEndpoint?: string | undefined;
  /** The endpoint of X-Ray. Absent: the service's own in the region. */
  readonly xrayEndpoint?: string | undefined;
  /** Lets the simulation observe and break what lies between the adapters and the controllers. */
  readonly seams?: CloudSeams | undefined;
}

interface CloudSeams {
  objectStore?(objectStore: ObjectStore): ObjectStore;
  registry?(registry: Registry): Registry;
  controller?(controller: Controller): Controller;
  /** What the syncs of follow-ups send goes there. */
  followUpQueue?(workQueue: WorkQueue): WorkQueue;
  /** How many messages are a full batch of the work queue. In a small cluster ten seldom wait. */
  readonly fullBatch?: number;
  /** The longest intent that stays in its key's item, in bytes. In a small cluster few are longer than the stack's. */
  readonly longestInlineIntent?: number;
  /** Takes the spans in place of X-Ray. */
  readonly spans?: SpanSink;
  /** What `LateDirectKeys` loads. Loading code takes no time of the simulation. */
  readonly composeDirectKeys?: (environment: StoreEnvironment, cloud: Cloud) => DirectKeys;
}

/** Opens the clients of AWS, with this machine's clock, randomness and standard output. */
export function openCloud(): Cloud {
  const clock = new SystemClock();
  const log = createLog();
  const onSetupProblem = logSetupProblems(log, clock);
  const hasLocalClients = process.env[EMULATED] !== undefined;
  // The names by which the SDK's own clients of the services would be told.
  const logsEndpoint = process.env['AWS_ENDPOINT_URL_CLOUDWATCH_LOGS'];
  const xrayEndpoint = process.env['AWS_ENDPOINT_URL_XRAY'];
  const aws = openAws({ clock, ids: new SystemIds(), onSetupProblem });
  return { ...aws, log, hasLocalClients, logsEndpoint, xrayEndpoint };
}
