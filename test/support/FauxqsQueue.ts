import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { WORK_QUEUE } from '../../infra/topology.ts';
import type { QueueRecord } from '../../lambdas/adapters/aws/queue/queueMessage.ts';

/** A record with the message id that a partial batch response needs. */
export type FauxqsRecord = QueueRecord & { readonly messageId: string };

type FauxqsApp = ReturnType<typeof buildApp>;

const REGION = 'us-east-1';
const DEAD_LETTERS_ARN = `arn:aws:sqs:${REGION}:000000000000:dead-letters`;

/** A queue and its dead-letter queue in an SQS emulator inside this process; its time is this process's `Date`. */
export class FauxqsQueue {
  readonly sqs: SQSClient;
  readonly endpoint: string;
  readonly queueUrl: string;
  readonly deadLetterQueueUrl: string;
  readonly #app: FauxqsApp;

  private constructor(app: FauxqsApp, endpoint: string, queueUrls: { readonly work: string; readonly dead: string }) {
    this.#app = app;
    this.endpoint = endpoint;
    // A queue's URL names a host that does not exist, so requests go to the endpoint.
    this.queueUrl = queueUrls.work;
    this.deadLetterQueueUrl = queueUrls.dead;
    this.sqs = clientOf(endpoint);
  }

  /** Opens it on loopback only. */
  static async open(visibilityTimeoutMs: number = WORK_QUEUE.visibilityTimeoutMs): Promise<FauxqsQueue> {
    const app = buildApp({ logger: false });
    const endpoint = await app.listen({ host: '127.0.0.1', port: 0 });
    const sqs = clientOf(endpoint);
    const createQueue = async (QueueName: string, Attributes: Record<string, string> = {}) =>
      (await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl ?? '';
    const dead = await createQueue('dead-letters');
    const redrive = { deadLetterTargetArn: DEAD_LETTERS_ARN, maxReceiveCount: WORK_QUEUE.maxReceives };
    const work = await createQueue('work', {
      VisibilityTimeout: `${visibilityTimeoutMs / 1000}`,
      RedrivePolicy: JSON.stringify(redrive),
    });
    sqs.destroy();
    return new FauxqsQueue(app, endpoint, { work, dead });
  }

  /** Receives up to ten visible messages, in the form in which Lambda delivers them. */
  async receive(queueUrl = this.queueUrl): Promise<FauxqsRecord[]> {
    const { Messages = [] } = await this.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    return Messages.map((message) => ({
      messageId: message.MessageId ?? '',
      receiptHandle: message.ReceiptHandle ?? '',
      body: message.Body ?? '',
      attributes: message.Attributes as QueueRecord['attributes'],
      messageAttributes: Object.fromEntries(
        Object.entries(message.MessageAttributes ?? {}).map(([name, { StringValue }]) => [
          name,
          { stringValue: StringValue },
        ]),
      ),
    }));
  }

  async delete(receiptHandle: string): Promise<void> {
    await this.sqs.send(new DeleteMessageCommand({ QueueUrl: this.queueUrl, ReceiptHandle: receiptHandle }));
  }

  async close(): Promise<void> {
    this.sqs.destroy();
    await this.#app.close();
  }
}

function clientOf(endpoint: string): SQSClient {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  return new SQSClient({ endpoint, region: REGION, credentials, useQueueUrlAsEndpoint: false });
}
