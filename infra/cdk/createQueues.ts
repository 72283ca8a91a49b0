import { type CfnResource, Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
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
/** SQS asks KMS for a new key of its own after this time, for each queue and role. With its default, five minutes, KMS' bill is twelve times as high. */
const DATA_KEY_REUSE = Duration.hours(1);

/** Creates the queues. Their logical ids must never change: CloudFormation would replace the queues, and the messages in them would be lost. */
export function createQueues(scope: Construct, props: DriftlessStackProps, encryptionKey: IKey | undefined): Queues {
  const kept: QueueProps = { ...encryptionOf(encryptionKey), removalPolicy: removalPolicyOf(props) };
  const deadLetters = createQueue(scope, 'DeadLetterQueue', kept);
  const work = createQueue(scope, 'WorkQueue', {
    ...kept,
    visibilityTimeout: Duration.millis(WORK_QUEUE.visibilityTimeoutMs),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: WORK_QUEUE.maxReceives },
  });
  const givenUp = createQueue(scope, 'GivenUpQueue', {
    ...kept,
    visibilityTimeout: Duration.millis(VISIBILITY_PER_TIMEOUT * FUNCTIONS.resync.timeoutMs),
  });
  return { work, deadLetters, givenUp };
}

function encryptionOf(encryptionKey: IKey | undefined): QueueProps {
  return encryptionKey
    ? { encryption: QueueEncryption.KMS, encryptionMasterKey: encryptionKey, dataKeyReuse: DATA_KEY_REUSE }
    : { encryption: QueueEncryption.SQS_MANAGED };
}

function createQueue(scope: Construct, logicalId: string, options: QueueProps): Queue {
  const queue = new Queue(scope, logicalId, { enforceSSL: true, retentionPeriod: RETENTION, ...options });
  (queue.node.defaultChild as CfnResource).overrideLogicalId(logicalId);
  return queue;
}
