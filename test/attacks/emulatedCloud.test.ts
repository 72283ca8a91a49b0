// Slow: an emulated cloud is deployed first.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken } from '../../infra/emulation/identity/createToken.ts';
import { missingJava } from '../../infra/emulation/services/startDynamoDbJava.ts';
import { attackFraming } from './attackFraming.ts';
import { attackParsers } from './attackParsers.ts';
import { attackPaths } from './attackPaths.ts';
import { rawRequest, sendRaw } from './sendRaw.ts';
import { prepareTarget, startEmulated, type Target } from './targets.ts';

const missing = process.env['CI'] ? undefined : missingJava();
if (missing !== undefined) console.warn(`Attacks on the emulated cloud are skipped: ${missing}.`);

/** Only Linux shows in /proc where a process listens. */
const isLinux = process.platform === 'linux';
if (!isLinux) console.warn('Attacks on the ports of the emulated cloud are skipped: they read /proc.');

const START_TIMEOUT_MS = 240_000;
const LISTENING = '0A';

interface ListeningSocket {
  /** In hexadecimal, as the kernel keeps it: `0100007F` is 127.0.0.1 on a little-endian machine. */
  readonly address: string;
  readonly port: number;
}

/** This process and its children. */
function processes(): number[] {
  const children = readdirSync(`/proc/${process.pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [process.pid, ...children];
}

function listeningSockets(): ListeningSocket[] {
  const ours = new Set(processes().flatMap(socketInodes));
  const lines = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1));
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    return state === LISTENING && ours.has(inode) ? [{ address, port: Number.parseInt(port, 16) }] : [];
  });
}

function socketInodes(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
      return inode === undefined ? [] : [inode];
    } catch {
      return []; // Closed since it was listed.
    }
  });
}

describe.skipIf(missing !== undefined)(`the emulated cloud${missing === undefined ? '' : ` (${missing})`}`, () => {
  let target: Target;
  beforeAll(async () => {
    target = await startEmulated();
    await prepareTarget(target);
  }, START_TIMEOUT_MS);
  afterAll(() => target?.stop(), START_TIMEOUT_MS);

  describe('on a connection', () => attackFraming(() => target));

  describe('with a user without rights', () => attackParsers(() => target, 'nobody'));

  test('lets no path lead around RBAC', () => attackPaths(target), 60_000);

  const decoded = () => Buffer.from(token().slice('k8s-aws-v1.'.length), 'base64url').toString();
  const token = () => String(target.as('root')['Authorization']).replace('Bearer ', '');
  const forged = (change: (url: string) => string) =>
    `k8s-aws-v1.${Buffer.from(change(decoded())).toString('base64url')}`;
  const replaced = (from: string | RegExp, to: string) => () => forged((url) => url.replace(from, to));

  test.each<[string, () => string]>([
    ['no signature', replaced(/&X-Amz-Signature=\w+/, '')],
    ['another signature', replaced(/X-Amz-Signature=\w{4}/, 'X-Amz-Signature=0000')],
    ['another access key', replaced(/X-Amz-Credential=\w+/, 'X-Amz-Credential=AKIAOTHER')],
    ['another algorithm', replaced('AWS4-HMAC-SHA256', 'none')],
    ['a later date', replaced(/X-Amz-Date=(\d{7})\d/, 'X-Amz-Date=$19')],
    ['a longer expiry', replaced('X-Amz-Expires=60', 'X-Amz-Expires=900')],
    ['the host of another service', replaced('sts.us-east-1', 'dynamodb.us-east-1')],
    ['a host of an attacker', replaced('sts.us-east-1.amazonaws.com', 'sts.us-east-1.amazonaws.com.evil.example')],
    ['a user in the URL', replaced('https://', 'https://sts.amazonaws.com@')],
    ['plain HTTP', replaced('https://', 'http://')],
    ['another action', replaced('GetCallerIdentity', 'GetSessionToken')],
    ['two actions', replaced('Action=', 'Action=GetCallerIdentity&action=')],
    ['the cluster unsigned', replaced('x-k8s-aws-id', 'x-other')],
    ['a path', replaced('amazonaws.com/', 'amazonaws.com/x')],
    ['a line break', replaced('Version=', 'Version=\r\nHost: evil.example')],
    ['another prefix', () => token().replace('v1', 'v2')],
  ])('a token with %s is no token', async (_, create) => {
    const answer = await sendRaw(
      target.port,
      rawRequest('GET', '/api/v1/secrets', { Authorization: `Bearer ${create()}` }),
    );
    expect(answer.status).toBe(401);
  });

  test.each<[string, (valid: string) => Readonly<Record<string, string | readonly string[]>>]>([
    ['nothing', () => ({})],
    ['the identity of a proxy', () => ({ 'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters' })],
    ['an impersonation', () => ({ 'Impersonate-User': 'root', 'Impersonate-Group': 'system:masters' })],
    ['the token in a cookie', (valid) => ({ Cookie: `Authorization=Bearer ${valid}` })],
    [
      'the token as a password',
      (valid) => ({ Authorization: `Basic ${Buffer.from(`x:${valid}`).toString('base64')}` }),
    ],
    ['the token twice', (valid) => ({ Authorization: [`Bearer ${valid}`, `Bearer ${valid}`] })],
    ['the token after another', (valid) => ({ Authorization: `Bearer other, Bearer ${valid}` })],
  ])('a request with %s is not authenticated', async (_, headers) => {
    expect((await sendRaw(target.port, rawRequest('GET', '/api/v1/secrets', headers(token())))).status).toBe(401);
  });

  test.runIf(isLinux)('listens on loopback only', () => {
    const sockets = listeningSockets();
    // The gateway, STS, the two proxies, and DynamoDB.
    expect(sockets.length).toBeGreaterThanOrEqual(5);
    expect(
      sockets.filter(({ address }) => !/^(?:0{24}|0{16}FFFF0000)?0100007F$|^0{24}01000000$/.test(address)),
    ).toEqual([]);
  });

  /** Sends one request of AWS' JSON protocol to every port, signed with a guessed key. Returns the answers of status 200. */
  const askAllPorts = async (
    operation: string,
    accessKeyId: string,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`;
    const answers = await Promise.all(
      listeningSockets().map(async ({ port }) => {
        const init = {
          method: 'POST',
          headers: {
            'content-type': 'application/x-amz-json-1.0',
            'x-amz-target': operation,
            authorization,
            ...headers,
          },
          body: '{}',
        };
        const answer = await fetch(`http://127.0.0.1:${port}/`, init).catch(() => undefined);
        return answer?.status === 200 ? await answer.text() : '';
      }),
    );
    return answers.filter((text) => text !== '');
  };

  test.runIf(isLinux).each(['emulated', 'local', 'ApiFunction', 'SyncFunction', 'AKIAEMULATEDEMULATED'])(
    'shows no table and no queue to someone who guesses the access key %s',
    async (accessKeyId) => {
      // DynamoDB keeps the tables of each access key apart, and a guessed one has none.
      expect(await askAllPorts('DynamoDB_20120810.ListTables', accessKeyId)).toEqual(['{"TableNames":[]}']);
      expect(await askAllPorts('DynamoDBStreams_20120810.ListStreams', accessKeyId)).toEqual(['{"Streams":[]}']);
      expect(await askAllPorts('AmazonSQS.ListQueues', accessKeyId)).toEqual([]);
      expect(await askAllPorts('AmazonSQS.ListQueues', accessKeyId, { 'x-amz-security-token': 'guessed' })).toEqual([]);
    },
  );

  test('accepts no token that is signed with a secret of another run', async () => {
    const known = {
      accessKeyId: 'AKIAEMULATEDEMULATED',
      secretAccessKey: 'emulated/emulated/emulated/emulated/emul',
    };
    const url = new URL(Buffer.from(token().slice('k8s-aws-v1.'.length), 'base64url').toString());
    expect(url.searchParams.get('X-Amz-Credential')).toContain(known.accessKeyId);
    const guessed = createToken(known, 'Driftless-us-east-1-000000000000', Date.now());
    const answer = await fetch(`http://127.0.0.1:${target.port}/version`, {
      headers: { authorization: `Bearer ${guessed}` },
    });
    expect(answer.status).toBe(401);
  });
});
