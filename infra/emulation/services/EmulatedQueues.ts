import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { FauxqsServer } from 'fauxqs';
import { type Forwarder, openForwarder } from './openForwarder.ts';
import { ACCOUNT, REGION, type TemplateResolver } from '../template/Template.ts';

/** What of a queue's CloudFormation properties is an attribute of the same name. */
const ATTRIBUTES = [
  'DelaySeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'VisibilityTimeout',
];

/** SQS inside this process. */
export class EmulatedQueues {
  readonly #server: FauxqsServer;
  readonly #front: Forwarder;
  readonly #sqs: SQSClient;

  private constructor(server: FauxqsServer, front: Forwarder) {
    this.#server = server;
    this.#front = front;
    const endpoint = `http://127.0.0.1:${server.port}`;
    const credentials = { accessKeyId: 'emulated', secretAccessKey: 'emulated' };
    this.#sqs = new SQSClient({ endpoint, region: REGION, credentials, useQueueUrlAsEndpoint: false });
  }

  /** `onRequest` is told of each request that a function makes. */
  static async start(onRequest: (operation: string, body: string) => void): Promise<EmulatedQueues> {
    const { startFauxqs } = await import('fauxqs');
    const server = await startFauxqs({ port: 0, logger: false, defaultRegion: REGION });
    const front = await openForwarder({
      targetPort: server.port,
      // The emulator knows its queues by names of hosts that no resolver knows.
      rewrite: (body) => body.replaceAll(`${front.endpoint}/`, origin(server)),
      onExchange: onRequest,
    });
    return new EmulatedQueues(server, front);
  }

  /** Where functions reach it; the host of each queue's URL. */
  get endpoint(): string {
    return this.#front.endpoint;
  }

  /** Creates the template's queues under their logical ids; those that others redrive to come first. */
  create(template: TemplateResolver): void {
    const queues = template.resources('AWS::SQS::Queue');
    const isTarget = (properties: Readonly<Record<string, unknown>>) => properties['RedrivePolicy'] === undefined;
    for (const [logicalId, properties] of [
      ...queues.filter(([, one]) => isTarget(one)),
      ...queues.filter(([, one]) => !isTarget(one)),
    ]) {
      this.#create(logicalId, template.resolve(properties) as Readonly<Record<string, unknown>>);
      template.deployed(logicalId, {
        ref: `${this.endpoint}/${ACCOUNT}/${logicalId}`,
        attributes: { Arn: queueArn(logicalId), QueueName: logicalId },
      });
    }
  }

  /** Up to `limit` messages, waiting up to `waitSeconds` for the first. Empty when `signal` is aborted. */
  async receive(arn: string, limit: number, waitSeconds: number, signal: AbortSignal): Promise<readonly Message[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: this.#url(nameOf(arn)),
      MaxNumberOfMessages: limit,
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    try {
      return (await this.#sqs.send(command, { abortSignal: signal })).Messages ?? [];
    } catch (error) {
      if (signal.aborted) return [];
      throw error;
    }
  }

  async delete(arn: string, messages: readonly Message[]): Promise<void> {
    const Entries = messages.map(({ ReceiptHandle }, at) => ({ Id: `${at}`, ReceiptHandle }));
    await this.#sqs.send(new DeleteMessageBatchCommand({ QueueUrl: this.#url(nameOf(arn)), Entries }));
  }

  async send(arn: string, body: string): Promise<void> {
    await this.#sqs.send(new SendMessageCommand({ QueueUrl: this.#url(nameOf(arn)), MessageBody: body }));
  }

  async stop(): Promise<void> {
    this.#sqs.destroy();
    await this.#front.close();
    await this.#server.stop();
  }

  #create(logicalId: string, properties: Readonly<Record<string, unknown>>): void {
    const attributes = Object.fromEntries(
      ATTRIBUTES.flatMap((name) => (properties[name] === undefined ? [] : [[name, String(properties[name])]])),
    );
    const redrive = properties['RedrivePolicy'];
    this.#server.createQueue(logicalId, {
      region: REGION,
      attributes: { ...attributes, ...(redrive !== undefined && { RedrivePolicy: JSON.stringify(redrive) }) },
    });
  }

  #url(name: string): string {
    return `${origin(this.#server)}${ACCOUNT}/${name}`;
  }
}

function origin({ port }: FauxqsServer): string {
  return `http://sqs.${REGION}.localhost:${port}/`;
}

function queueArn(name: string): string {
  return `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;
}

function nameOf(arn: string): string {
  return arn.split(':').at(-1) ?? '';
}
