import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { AuditLogParts } from './createAuditLog.ts';
import type { Network } from './createNetwork.ts';
import type { Queues } from './createQueues.ts';
import type { Tables } from './createTables.ts';
import type { DriftlessStackProps } from './DriftlessStackProps.ts';
import type { ConcurrencyPlan } from './planConcurrency.ts';

/** The parts of the stack that functions refer to. */
export interface FunctionParts {
  readonly props: DriftlessStackProps;
  readonly concurrency: ConcurrencyPlan;
  readonly clusterId: string;
  /** Encrypts all that the stack keeps. Absent: keys of AWS do that. */
  readonly encryptionKey: IKey | undefined;
  readonly tables: Tables;
  readonly queues: Queues;
  /** Absent: nothing of the stack is in a network. */
  readonly network: Network | undefined;
  /** Absent: nothing is recorded of requests. */
  readonly audit: AuditLogParts | undefined;
  /** The name of the load balancer by which clients reach the container without API Gateway; absent if there is none. */
  readonly directName?: string | undefined;
}
