import type { WorkQueue } from '../../../lambdas/ports/WorkQueue.ts';
import type { Service } from '../../model/cloud/modelClients.ts';
import type { InvokeOutcome } from '../../model/lambda/FunctionModel.ts';

/** Invokes a function with an event. */
export type Invoke = (event: unknown) => Promise<InvokeOutcome>;

/** What is changed where a process is given its services, and where a trigger invokes its function; whatever is absent stays as it is. */
export interface CloudSeams {
  /** Called once for each process, with its name: `sync-3`. */
  readonly dynamoDb?: (service: Service, processName: string) => Service;
  readonly sqs?: (service: Service, processName: string) => Service;
  /** Called once for each function that a stream or a queue triggers. */
  readonly invoke?: (functionName: string, invoke: Invoke) => Invoke;
  /** Called once for each process that syncs. */
  readonly followUpQueue?: (workQueue: WorkQueue) => WorkQueue;
}

/** A deliberate defect of what runs on AWS, to see that the simulation finds it. */
export interface CloudMutation {
  readonly name: string;
  /** What is broken, in a sentence. */
  readonly what: string;
  /** Called once for each run. `runsThis` tells whether a process runs this release, and not the one before; it does if there is only one. */
  create(runsThis: (processName: string) => boolean): CloudSeams;
}
