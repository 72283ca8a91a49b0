import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { postJson } from './postJson.ts';
import { type DynamoDbJava, missingJava, startDynamoDbJava } from './startDynamoDbJava.ts';
import { ACCOUNT, REGION, type TemplateResolver } from '../template/Template.ts';
import { UsageError } from '../../host/UsageError.ts';

/**
 * DynamoDB Local with its streams, in memory, in a Java process that ends with this one. It is called through AWS' JSON protocol. The emulator checks no
 * signature, but it keeps tables by access key: a client without this run's random key finds an empty database.
 */
export class DynamoDbLocal {
  readonly port: number;
  readonly accessKeyId = randomBytes(20).toString('hex');
  /** Resolves if the emulator ends unexpectedly. */
  readonly failed: Promise<Error>;
  readonly #process: ChildProcess;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #kill: () => void;
  #isStopping = false;

  private constructor({ process: child, port }: DynamoDbJava) {
    this.#process = child;
    this.port = port;
    this.#kill = () => this.#process.kill('SIGKILL');
    process.once('exit', this.#kill);
    this.failed = new Promise((resolve) =>
      this.#process.once('exit', (code, signal) => {
        const how = code === null ? `was killed by ${signal}` : `ended with exit code ${code}`;
        if (!this.#isStopping) resolve(new Error(`DynamoDB Local ${how}`));
      }),
    );
  }

  /** Resolves when the emulator answers. */
  static async start(): Promise<DynamoDbLocal> {
    return new DynamoDbLocal(await startDynamoDbJava());
  }

  /** Sends one request, such as `DynamoDB_20120810.CreateTable` or `DynamoDBStreams_20120810.GetRecords`. Throws an error whose name is the service's error type. */
  async call<T>(target: string, body: unknown): Promise<T> {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      authorization: `AWS4-HMAC-SHA256 Credential=${this.accessKeyId}/20250101/${REGION}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
    };
    const { status, text } = await postJson(
      { address: { port: this.port }, agent: this.#agent, headers },
      JSON.stringify(body),
    );
    if (status === 200) return JSON.parse(text) as T;
    const { __type: type, message = text } = JSON.parse(text) as {
      readonly __type?: string;
      readonly message?: string;
    };
    const error = new Error(`${target}: ${message}`);
    error.name = type?.split('#').at(-1) ?? 'UnknownError';
    throw error;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    process.removeListener('exit', this.#kill);
    this.#agent.destroy();
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#kill();
    await ended;
  }
}

/** Throws a UsageError if no suitable Java is installed. */
export function requireJava(): void {
  const missing = missingJava();
  if (missing !== undefined) throw new UsageError(`--emulate-cloud ${missing}`);
}

interface TableDescription {
  readonly TableDescription: { readonly TableName: string; readonly LatestStreamArn?: string };
}

/** The properties that CreateTable accepts in CloudFormation's format. */
const COPIED_PROPERTIES = [
  'AttributeDefinitions',
  'KeySchema',
  'LocalSecondaryIndexes',
  'GlobalSecondaryIndexes',
  'BillingMode',
];

/**
 * Creates the template's tables under their logical ids, with streams and times to live. The emulator has no encryption, backups or deletion protection, so these
 * are left out.
 */
export async function createEmulatedTables(template: TemplateResolver, dynamoDb: DynamoDbLocal): Promise<void> {
  for (const [logicalId, properties] of template.resources('AWS::DynamoDB::Table')) {
    const read = template.resolve(properties) as Readonly<Record<string, unknown>> & {
      readonly StreamSpecification?: { readonly StreamViewType: string };
      readonly TimeToLiveSpecification?: unknown;
    };
    const { StreamSpecification: stream, TimeToLiveSpecification } = read;
    const { TableDescription: table } = await dynamoDb.call<TableDescription>('DynamoDB_20120810.CreateTable', {
      TableName: logicalId,
      ...Object.fromEntries(
        COPIED_PROPERTIES.flatMap((name) => (read[name] === undefined ? [] : [[name, read[name]]])),
      ),
      ...(stream && { StreamSpecification: { StreamEnabled: true, ...stream } }),
    });
    if (TimeToLiveSpecification) {
      await dynamoDb.call('DynamoDB_20120810.UpdateTimeToLive', { TableName: logicalId, TimeToLiveSpecification });
    }
    template.setDeployed(logicalId, {
      ref: logicalId,
      attributes: {
        Arn: `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${logicalId}`,
        ...(table.LatestStreamArn !== undefined && { StreamArn: table.LatestStreamArn }),
      },
    });
  }
}
