import type { SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { decodeCauses, encodeCauses } from '../../../ports/Causes.ts';
import { decodeKeyTraces, encodeKeyTraces } from '../../../ports/TraceContext.ts';
import type { WorkKey } from '../../../ports/WorkKey.ts';
import { type KeyToSend, MAX_QUEUE_DELAY_MS, type ReceivedMessage } from '../../../ports/WorkQueue.ts';

/** A message as Lambda's event source mapping delivers it: the part of `aws-lambda`'s SQSRecord that is read here. */
export interface QueueRecord {
  readonly receiptHandle: string;
  readonly body: string;
  /** Decimal numbers as text. */
  readonly attributes: {
    readonly SentTimestamp: string;
    readonly ApproximateFirstReceiveTimestamp: string;
    readonly ApproximateReceiveCount: string;
  };
  readonly messageAttributes: Readonly<Record<string, { readonly stringValue?: string | undefined }>>;
}

/** The message's delay, since SQS reports only when a message was sent. */
const DELAY_ATTRIBUTE = 'delaySeconds';
/** The changes for which a key is sent. The release before does not read it, and so syncs the key. */
const CAUSES_ATTRIBUTE = 'causes';
/** The traces to which its sync belongs. The release before does not read it. */
const TRACES_ATTRIBUTE = 'traces';
/** The group of keys of cluster-scoped objects. No namespace begins with an underscore. */
const CLUSTER_GROUP = '_cluster';

/**
 * Encodes a key for SQS. The body is the key as JSON, which operators can read. The group is the fair-queue group, so that one namespace's many keys do not
 * delay another namespace's. Delays are whole seconds, rounded up: a key that arrived too early would be synced and sent again, over and over.
 */
export function encodeQueueMessage({
  key,
  delayMs = 0,
  causes,
  traces,
}: KeyToSend): Omit<SendMessageBatchRequestEntry, 'Id'> {
  const delaySeconds = Math.ceil(Math.min(Math.max(0, delayMs), MAX_QUEUE_DELAY_MS) / 1000);
  const named = causes && encodeCauses(causes);
  const traced = encodeKeyTraces(traces);
  const attributes = {
    ...(delaySeconds > 0 && { [DELAY_ATTRIBUTE]: { DataType: 'Number', StringValue: `${delaySeconds}` } }),
    ...(named !== undefined && { [CAUSES_ATTRIBUTE]: { DataType: 'String', StringValue: named } }),
    ...(traced !== undefined && { [TRACES_ATTRIBUTE]: { DataType: 'String', StringValue: traced } }),
  };
  return {
    MessageBody: encodeBody(key),
    MessageGroupId: key.namespace === '' ? CLUSTER_GROUP : key.namespace,
    ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
    ...(Object.keys(attributes).length > 0 && { MessageAttributes: attributes }),
  };
}

/** Decodes a record; `undefined` if `encodeQueueMessage` did not make it. */
export function decodeQueueMessage(record: QueueRecord): ReceivedMessage | undefined {
  const key = decodeKey(record.body);
  const { SentTimestamp, ApproximateFirstReceiveTimestamp, ApproximateReceiveCount } = record.attributes;
  const [sentAtMs, firstReceivedAtMs] = [Number(SentTimestamp), Number(ApproximateFirstReceiveTimestamp)];
  const receiveCount = Number(ApproximateReceiveCount);
  const delaySeconds = Number(record.messageAttributes[DELAY_ATTRIBUTE]?.stringValue ?? 0);
  if (!key || ![sentAtMs, firstReceivedAtMs, receiveCount, delaySeconds].every(Number.isFinite)) return undefined;
  const dueAtMs = sentAtMs + delaySeconds * 1000;
  // A message is visible from its due time on, so `dueAtMs` has passed too, whatever the clocks of the queue's machines said.
  const receivedAtMs = Math.max(dueAtMs, firstReceivedAtMs);
  const causes = decodeCauses(record.messageAttributes[CAUSES_ATTRIBUTE]?.stringValue);
  const traces = decodeKeyTraces(record.messageAttributes[TRACES_ATTRIBUTE]?.stringValue);
  return {
    key,
    receipt: record.receiptHandle,
    dueAtMs,
    receivedAtMs,
    receiveCount,
    ...(causes.size > 0 && { causes }),
    ...(traces.length > 0 && { traces }),
  };
}

/** Escapes everything but printable ASCII: SQS refuses some characters that names of roles may contain. */
function encodeBody({ controller, namespace, name }: WorkKey): string {
  return JSON.stringify({ controller, namespace, name }).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Decodes a message's body; `undefined` if it is no key. */
export function decodeKey(body: string): WorkKey | undefined {
  try {
    const { controller, namespace, name } = JSON.parse(body) as Partial<Record<keyof WorkKey, unknown>>;
    if (typeof controller !== 'string' || typeof namespace !== 'string' || typeof name !== 'string') return undefined;
    return { controller, namespace, name };
  } catch {
    return undefined;
  }
}

type Message = Omit<SendMessageBatchRequestEntry, 'Id'>;

const MAX_BATCH_MESSAGES = 10;
/** SQS's original limit for a batch. Newer queues allow more. */
const MAX_BATCH_BYTES = 256 * 1024;
/** An estimate for a message's attributes, which count too. */
const ATTRIBUTES_BYTES = 600;

/** Divides messages into the largest batches that SQS accepts: ten messages, 256 KiB. A message that exceeds the limit gets a batch of its own. Pure. */
export function toBatches(messages: readonly Message[]): Message[][] {
  const batches: Message[][] = [];
  let batch: Message[] = [];
  let bytes = 0;
  for (const message of messages) {
    const messageBytes = Buffer.byteLength(message.MessageBody ?? '') + ATTRIBUTES_BYTES;
    if (batch.length === MAX_BATCH_MESSAGES || bytes + messageBytes > MAX_BATCH_BYTES) {
      if (batch.length > 0) batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += messageBytes;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
