import { Agent } from 'node:http';
import type { FauxqsServer } from 'fauxqs';
import { ACCOUNT, REGION, type TemplateResolver } from '../template/Template.ts';
import { postJson } from './postJson.ts';

/** A message as SQS' JSON has it. */
export interface Message {
  readonly MessageId: string;
  readonly ReceiptHandle: string;
  readonly Body: string;
  readonly MD5OfBody: string;
  readonly Attributes?: Readonly<Record<string, string>>;
  readonly MessageAttributes?: Readonly<Record<string, { readonly StringValue?: string; readonly DataType?: string }>>;
}

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
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(server: FauxqsServer) {
    this.#server = server;
  }

  static async start(): Promise<EmulatedQueues> {
    const { startFauxqs } = await import('fauxqs');
    return new EmulatedQueues(await startFauxqs({ port: 0, logger: false, defaultRegion: REGION }));
  }

  get port(): number {
    return this.#server.port;
  }

  /** What its queues' URLs begin with: the name of a host that no resolver knows. */
  get origin(): string {
    return `http://sqs.${REGION}.localhost:${this.port}/`;
  }

  /** Creates the template's queues under their logical ids, reached by functions at `endpoint`; those that others redrive to come first. */
  create(template: TemplateResolver, endpoint: string): void {
    const queues = template.resources('AWS::SQS::Queue');
    const redrives = (properties: Readonly<Record<string, unknown>>) => properties['RedrivePolicy'] !== undefined;
    for (const [logicalId, properties] of [
      ...queues.filter(([, one]) => !redrives(one)),
      ...queues.filter(([, one]) => redrives(one)),
    ]) {
      this.#create(logicalId, template.resolve(properties) as Readonly<Record<string, unknown>>);
      template.deployed(logicalId, {
        ref: `${endpoint}/${ACCOUNT}/${logicalId}`,
        attributes: { Arn: `arn:aws:sqs:${REGION}:${ACCOUNT}:${logicalId}`, QueueName: logicalId },
      });
    }
  }

  /** Up to `limit` messages, waiting up to `waitSeconds` for the first. Rejects when `signal` is aborted. */
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
    await this.#server.stop();
  }

  async #call<T>(operation: string, body: object, signal?: AbortSignal): Promise<T> {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `AmazonSQS.${operation}`,
      // Names the region; nobody checks the signature.
      authorization: `AWS4-HMAC-SHA256 Credential=emulated/20250101/${REGION}/sqs/aws4_request, SignedHeaders=host, Signature=0`,
    };
    const to = { port: this.#server.port, agent: this.#agent, headers, ...(signal && { signal }) };
    const { status, text } = await postJson(to, JSON.stringify(body));
    if (status !== 200) throw new Error(`${operation}: ${text}`);
    return JSON.parse(text === '' ? '{}' : text) as T;
  }

  #create(logicalId: string, properties: Readonly<Record<string, unknown>>): void {
    const attributes = Object.fromEntries(
      ATTRIBUTES.flatMap((name) => (properties[name] === undefined ? [] : [[name, `${properties[name] as number}`]])),
    );
    const redrive = properties['RedrivePolicy'];
    this.#server.createQueue(logicalId, {
      region: REGION,
      attributes: { ...attributes, ...(redrive !== undefined && { RedrivePolicy: JSON.stringify(redrive) }) },
    });
  }

  #url(arn: string): string {
    return `${this.origin}${ACCOUNT}/${arn.split(':').at(-1)}`;
  }
}
