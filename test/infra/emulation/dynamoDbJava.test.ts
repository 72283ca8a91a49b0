import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbLocal } from '../../../infra/emulation/services/DynamoDbLocal.ts';
import { missingJava } from '../../../infra/emulation/services/startDynamoDbJava.ts';

const missing = process.env['CI'] ? undefined : missingJava();
if (missing !== undefined) console.warn(`Tests of the emulated DynamoDB's process are skipped: ${missing}.`);

/** Resolves to how an attempt to connect ends: `connected`, or Node's error code. */
function connect(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port }, () => {
      resolve('connected');
      socket.destroy();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
}

describe.skipIf(missing !== undefined)('the process of DynamoDB Local', () => {
  let java: DynamoDbLocal;
  beforeAll(async () => {
    java = await DynamoDbLocal.start();
  }, 120_000);
  afterAll(() => java.stop());

  it('accepts connections on loopback, and on no other address of this machine', async () => {
    expect(await connect('127.0.0.1', java.port)).toBe('connected');
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
    for (const { address } of others)
      expect([address, await connect(address, java.port)]).toEqual([address, 'ECONNREFUSED']);
  });

  it.runIf(process.platform === 'linux')('says by which signal it was killed', async () => {
    const { pid } = process;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const isJava = (child: string) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('DynamoDB');
    process.kill(Number(children.find(isJava)), 'SIGKILL');
    expect((await java.failed).message).toBe('DynamoDB Local was killed by SIGKILL');
  });

  it('ends with the process that started it, even after kill -9', async () => {
    const code = `
      import { startDynamoDbJava } from './infra/emulation/services/startDynamoDbJava.ts';
      console.log((await startDynamoDbJava()).port);
    `;
    const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const port = Number(
      await new Promise((resolve) => parent.stdout.once('data', (chunk: Buffer) => resolve(String(chunk)))),
    );
    const closed = new Promise((resolve) => {
      const socket = createConnection({ host: '127.0.0.1', port }, () => parent.kill('SIGKILL'));
      socket.once('close', resolve);
      socket.once('error', () => {});
    });
    await closed;
    // The kernel closes the connection before the listening socket.
    while ((await connect('127.0.0.1', port)) !== 'ECONNREFUSED');
  }, 120_000);
});
