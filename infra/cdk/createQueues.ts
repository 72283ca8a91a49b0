import { type CfnResource, Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { FUNCTIONS, WORK_QUEUE } from '../topology.ts';
import { removalPolicyOf } from './createTables.ts';
import type { DriftlessStackProps } from './DriftlessStackProps.ts';

/**
 * - `work`: keys to sync.
 * - `deadLetters`: keys that were given up; an operator redrives them.
 * - `givenUp`: notices of stream batches that were given up. For each, `resync` begins a new epoch of the log and queues every key.
 */
export type QueueName = 'work' | 'deadLetters' | 'givenUp';
export type Queues = Readonly<Record<QueueName, Queue>>;

/** SQS' maximum. A key may be retried for days and must not be lost meanwhile. */
const RETENTION = Duration.days(14);
/** AWS recommends a visibility timeout of six function timeouts, so that throttled batches have time to be retried. */
const VISIBILITY_PER_TIMEOUT = 6;

/** Creates the queues. Their logical ids must never change: CloudFormation would replace the queues, and the messages in them would be lost. */
export function createQueues(scope: Construct, props: DriftlessStackProps): Queues {
  const deadLetters = createQueue(scope, 'DeadLetterQueue', props, {});
  const work = createQueue(scope, 'WorkQueue', props, {
    visibilityTimeout: Duration.millis(WORK_QUEUE.visibilityTimeoutMs),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: WORK_QUEUE.maxReceives },
  });
  const givenUp = createQueue(scope, 'GivenUpQueue', props, {
    visibilityTimeout: Duration.millis(VISIBILITY_PER_TIMEOUT * FUNCTIONS.resync.timeoutMs),
  });
  return { work, deadLetters, givenUp };
}

function createQueue(
  scope: Construct,
  logicalId: string,
  props: DriftlessStackProps,
  more: Pick<QueueProps, 'visibilityTimeout' | 'deadLetterQueue'>,
): Queue {
  const queue = new Queue(scope, logicalId, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: RETENTION,
    removalPolicy: removalPolicyOf(props),
    ...more,
  });
  (queue.node.defaultChild as CfnResource).overrideLogicalId(logicalId);
  return queue;
}
