import { ReceiveMessageCommand, DeleteMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { WORK_QUEUE } from '../../infra/topology.ts';
import type { QueueRecord } from '../../lambdas/adapters/aws/queueMessage.ts';

/** A record with the message id that a partial batch response needs. */
export type FauxqsRecord = QueueRecord & { readonly messageId: string };

/** A queue and its dead-letter queue in an SQS emulator inside this process; its time is this process's `Date`. */
export class FauxqsQueue {
  readonly sqs: SQSClient;
  readonly endpoint: string;
  readonly queueUrl: string;
  readonly deadLetterQueueUrl: string;
  readonly #server: FauxqsServer;

  private constructor(server: FauxqsServer, visibilityTimeoutMs: number) {
    this.#server = server;
    this.endpoint = server.address;
    const dead = server.createQueue('dead-letters');
    const redrive = JSON.stringify({ deadLetterTargetArn: dead.queueArn, maxReceiveCount: WORK_QUEUE.maxReceives });
    const attributes = { VisibilityTimeout: `${visibilityTimeoutMs / 1000}`, RedrivePolicy: redrive };
    // A queue's URL names a host that does not exist, so requests go to the endpoint.
    this.queueUrl = server.createQueue('work', { attributes }).queueUrl;
    this.deadLetterQueueUrl = dead.queueUrl;
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    this.sqs = new SQSClient({
      endpoint: this.endpoint,
      region: 'us-east-1',
      credentials,
      useQueueUrlAsEndpoint: false,
    });
  }

  static async open(visibilityTimeoutMs: number = WORK_QUEUE.visibilityTimeoutMs): Promise<FauxqsQueue> {
    return new FauxqsQueue(await startFauxqs({ port: 0, logger: false }), visibilityTimeoutMs);
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
    await this.#server.stop();
  }
}
