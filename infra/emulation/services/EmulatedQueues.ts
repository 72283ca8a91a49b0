import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { join } from 'node:path';
import type { buildApp } from 'fauxqs';
import { ACCOUNT, REGION, type TemplateResolver } from '../template/Template.ts';
import { postJson, type ServiceAddress } from './postJson.ts';

/** A message in SQS' JSON format. */
export interface Message {
  readonly MessageId: string;
  readonly ReceiptHandle: string;
  readonly Body: string;
  readonly MD5OfBody: string;
  readonly Attributes?: Readonly<Record<string, string>>;
  readonly MessageAttributes?: Readonly<Record<string, { readonly StringValue?: string; readonly DataType?: string }>>;
}

/** The CloudFormation properties of a queue that are SQS attributes of the same name. */
const ATTRIBUTES = [
  'DelaySeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'VisibilityTimeout',
];

/** An emulated SQS inside this process. It listens on a Unix socket, because it answers anyone who reaches it. */
export class EmulatedQueues {
  readonly address: ServiceAddress & { readonly socketPath: string };
  /** The beginning of the queues' URLs. Its host name cannot be resolved by DNS. */
  readonly origin = `http://sqs.${REGION}.localhost/`;
  readonly #app: ReturnType<typeof buildApp>;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(app: ReturnType<typeof buildApp>, socketPath: string) {
    this.#app = app;
    this.address = { socketPath };
  }

  /** Starts it with a socket in `directory`, which only this user may read. */
  static async start(directory: string): Promise<EmulatedQueues> {
    const { buildApp } = await import('fauxqs');
    const app = buildApp({ logger: false, defaultRegion: REGION });
    // Windows keeps the names of its pipes apart from files.
    const isWindows = process.platform === 'win32';
    const socketPath = isWindows ? `\\\\.\\pipe\\driftless-${randomUUID()}` : join(directory, 'queues.sock');
    await app.listen({ path: socketPath });
    return new EmulatedQueues(app, socketPath);
  }

  /** Creates the template's queues under their logical ids, dead-letter queues first. Functions reach them at `endpoint`. */
  async create(template: TemplateResolver, endpoint: string): Promise<void> {
    const queues = template.resources('AWS::SQS::Queue');
    const redrives = (properties: Readonly<Record<string, unknown>>) => properties['RedrivePolicy'] !== undefined;
    for (const [logicalId, properties] of [
      ...queues.filter(([, one]) => !redrives(one)),
      ...queues.filter(([, one]) => redrives(one)),
    ]) {
      await this.#create(logicalId, template.resolve(properties) as Readonly<Record<string, unknown>>);
      template.setDeployed(logicalId, {
        ref: `${endpoint}/${ACCOUNT}/${logicalId}`,
        attributes: { Arn: `arn:aws:sqs:${REGION}:${ACCOUNT}:${logicalId}`, QueueName: logicalId },
      });
    }
  }

  /** Receives up to `limit` messages and waits up to `waitSeconds` for the first. Rejects when `signal` is aborted. */
  async receive(arn: string, limit: number, waitSeconds: number, signal: AbortSignal): Promise<readonly Message[]> {
    const request = {
      QueueUrl: this.#url(arn),
      MaxNumberOfMessages: limit,
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    };
    const { Messages = [] } = await this.#call<{ readonly Messages?: readonly Message[] }>(
      'ReceiveMessage',
      request,
      signal,
    );
    return Messages;
  }

  async delete(arn: string, messages: readonly Message[]): Promise<void> {
    const Entries = messages.map(({ ReceiptHandle }, at) => ({ Id: `${at}`, ReceiptHandle }));
    await this.#call('DeleteMessageBatch', { QueueUrl: this.#url(arn), Entries });
  }

  async send(arn: string, body: string): Promise<void> {
    await this.#call('SendMessage', { QueueUrl: this.#url(arn), MessageBody: body });
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.#app.close();
  }

  async #call<T>(operation: string, body: object, signal?: AbortSignal): Promise<T> {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `AmazonSQS.${operation}`,
      // The emulator makes a queue's URL of it.
      host: 'localhost',
      // The emulator reads the region from this. It does not check the signature.
      authorization: `AWS4-HMAC-SHA256 Credential=emulated/20250101/${REGION}/sqs/aws4_request, SignedHeaders=host, Signature=0`,
    };
    const to = { address: this.address, agent: this.#agent, headers, ...(signal && { signal }) };
    const { status, text } = await postJson(to, JSON.stringify(body));
    if (status !== 200) throw new Error(`${operation}: ${text}`);
    return JSON.parse(text === '' ? '{}' : text) as T;
  }

  async #create(logicalId: string, properties: Readonly<Record<string, unknown>>): Promise<void> {
    const attributes = Object.fromEntries(
      ATTRIBUTES.flatMap((name) => (properties[name] === undefined ? [] : [[name, `${properties[name] as number}`]])),
    );
    const redrive = properties['RedrivePolicy'];
    await this.#call('CreateQueue', {
      QueueName: logicalId,
      Attributes: { ...attributes, ...(redrive !== undefined && { RedrivePolicy: JSON.stringify(redrive) }) },
    });
  }

  #url(arn: string): string {
    return `${this.origin}${ACCOUNT}/${arn.split(':').at(-1)}`;
  }
}
