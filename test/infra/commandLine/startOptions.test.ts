import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseStartOptions } from '../../../infra/commandLine/parseStartOptions.ts';
import { readManifests } from '../../../infra/host/readManifests.ts';
import { UsageError } from '../../../infra/host/UsageError.ts';
import { CONTROLLER_NAMES } from '../../../lambdas/controllers/controllerRooms.ts';

const directory = mkdtempSync(join(tmpdir(), 'driftless-options-'));

afterAll(() => rmSync(directory, { recursive: true }));

describe('the options of npm start', () => {
  test('have defaults', () => {
    expect(parseStartOptions([])).toEqual({
      port: 8001,
      dataDir: resolve('.driftless'),
      ephemeral: false,
      rbac: false,
      emulateCloud: false,
      filenames: [],
    });
  });

  test('are parsed', () => {
    const args = [
      '--port',
      '0',
      '--data-dir',
      '/tmp/x',
      '--ephemeral',
      '--rbac',
      '--filename',
      'a.yaml',
      '-f',
      'b.yaml',
    ];
    expect(parseStartOptions(args)).toEqual({
      port: 0,
      dataDir: '/tmp/x',
      ephemeral: true,
      rbac: true,
      emulateCloud: false,
      filenames: ['a.yaml', 'b.yaml'],
    });
  });

  test('say where spans go, and how many traces begin', () => {
    const endpoint = 'http://127.0.0.1:4318/v1/traces';
    expect(parseStartOptions(['--tracing-endpoint', endpoint]).tracing).toEqual({ endpoint, sampleRate: 1 });
    const sampled = ['--tracing-endpoint', endpoint, '--tracing-sampling-rate', '0.01'];
    expect(parseStartOptions(sampled).tracing).toEqual({ endpoint, sampleRate: 0.01 });
    expect(parseStartOptions([]).tracing).toBeUndefined();
  });

  test('say what is audited, and where to', () => {
    const args = ['--audit-log-path', 'audit.log', '--audit-policy-file', '/etc/policy.yaml'];
    const audit = { logPath: resolve('audit.log'), policyFile: '/etc/policy.yaml' };
    expect(parseStartOptions(args).audit).toEqual({ ...audit, maxSizeMb: 100, maxBackups: 0, maxAgeDays: 0 });
    const rotation = ['--audit-log-maxsize', '5', '--audit-log-maxbackup', '3', '--audit-log-maxage', '7'];
    expect(parseStartOptions(['--audit-log-path', '-', ...rotation]).audit).toEqual({
      logPath: '-',
      maxSizeMb: 5,
      maxBackups: 3,
      maxAgeDays: 7,
    });
  });

  test('set the quota of the emulated account, and what answers its API', () => {
    const options = parseStartOptions(['--emulate-cloud', '--account-concurrency', '1000', '--api', 'container']);
    expect(options).toMatchObject({ emulateCloud: true, accountConcurrency: 1000, api: 'container' });
  });

  test('make a server for tests', () => {
    const args = [
      '--clock',
      'virtual',
      '--start-time',
      '2026-03-01T00:00:00Z',
      '--kubeconfig',
      'k',
      '--ready-file',
      'r',
    ];
    expect(parseStartOptions(args)).toMatchObject({
      clock: 'virtual',
      testing: true,
      startTimeMs: Date.UTC(2026, 2, 1),
      kubeconfig: resolve('k'),
      readyFile: resolve('r'),
    });
    expect(parseStartOptions(['--testing'])).toMatchObject({ testing: true });
    expect(parseStartOptions(['--clock', 'real'])).not.toHaveProperty('testing');
  });

  test('listen beyond loopback with --tls', () => {
    const options = parseStartOptions(['--tls', '--listen', '0.0.0.0']);
    expect(options).toMatchObject({ tls: true, listen: '0.0.0.0' });
    expect(parseStartOptions(['--listen', '127.0.0.2'])).toMatchObject({ listen: '127.0.0.2' });
  });

  test.each([
    ['0', 0],
    ['5000', 5000],
  ])('--nodes %s', (text, nodes) => {
    expect(parseStartOptions(['--nodes', text])).toMatchObject({ nodes });
  });

  test.each([
    ['-deployment', ['deployment']],
    ['*,-deployment', ['deployment']],
    ['*,-deployment, -namespace', ['deployment', 'namespace']],
    ['*', []],
  ])('--controllers=%s switches off %j', (text, names) => {
    const off = Object.fromEntries(names.map((name) => [name, { enabled: false }]));
    expect(parseStartOptions([`--controllers=${text}`]).controllers).toEqual(off);
  });

  test('--controllers with names alone switches off all others', () => {
    const off = Object.keys(parseStartOptions(['--controllers=pod,deployment']).controllers ?? {});
    expect(off).toContain('replicaset');
    expect(off).not.toContain('pod');
    expect(off).toHaveLength(CONTROLLER_NAMES.length - 2);
  });

  test.each([
    [['--listen', 'myhost', '--tls'], '--listen must be an IP address, not "myhost"'],
    [['--listen', '0.0.0.0'], '--listen 0.0.0.0 needs --tls'],
    [['--tls', '--emulate-cloud'], '--tls does not go with --emulate-cloud'],
    [['--clock', 'virtual', '--emulate-cloud'], '--clock does not go with --emulate-cloud'],
    [['--audit-log-path', 'a', '--emulate-cloud'], '--audit-log-path does not go with --emulate-cloud'],
    [['--tracing-endpoint', 'collector:4318'], '--tracing-endpoint must be an http or https URL, not "collector:4318"'],
    [['--tracing-sampling-rate', '1'], '--tracing-sampling-rate needs --tracing-endpoint'],
    [
      ['--tracing-endpoint', 'http://c/', '--tracing-sampling-rate', '1.5'],
      '--tracing-sampling-rate must be a number from 0 to 1, not "1.5"',
    ],
    [['--tracing-endpoint', 'http://c/', '--emulate-cloud'], '--tracing-endpoint does not go with --emulate-cloud'],
    [['--audit-log-path', ''], '--audit-log-path must name a file'],
    [['--audit-log-maxsize', '1k'], '--audit-log-maxsize must be a number, not "1k"'],
    [['--testing', '--emulate-cloud'], '--testing does not go with --emulate-cloud'],
    [['--clock', 'sundial'], '--clock must be real or virtual, not "sundial"'],
    [['--start-time', '2026-01-01'], '--start-time needs --clock virtual'],
    [['--clock', 'virtual', '--start-time', 'noon'], '--start-time must be a time such as 2026-01-01T00:00:00Z'],
    [['--ready-file', ''], '--ready-file must name a file'],
    [['--nodes', 'many'], '--nodes must be a number from 0 to 5000, not "many"'],
    [['--nodes', '5001'], '--nodes must be a number from 0 to 5000, not "5001"'],
    [['--controllers=-deploy'], '--controllers: "-deploy" is no controller; there are deployment, '],
    [['--controllers='], '--controllers: "" is no controller; there are deployment, '],
  ])('%j is refused', (args, message) => {
    expect(() => parseStartOptions(args)).toThrow(message);
    expect(() => parseStartOptions(args)).toThrow(UsageError);
  });

  test('say where the services of webhooks are', () => {
    const args = ['--webhook-service', 'default/hook=127.0.0.1:9443', '--webhook-service=a/b=[::1]:8443'];
    expect(parseStartOptions(args)).toMatchObject({
      webhookServices: { 'default/hook': '127.0.0.1:9443', 'a/b': '[::1]:8443' },
    });
  });

  test('say how many requests a second a user and a namespace have', () => {
    expect(parseStartOptions([]).requestLimits).toBeUndefined();
    expect(parseStartOptions(['--user-requests', '20']).requestLimits).toEqual({ user: { perSecond: 20, burst: 40 } });
    expect(parseStartOptions(['--user-requests=5', '--namespace-requests=10:100']).requestLimits).toEqual({
      user: { perSecond: 5, burst: 10 },
      namespace: { perSecond: 10, burst: 100 },
    });
  });

  test.each([
    [
      'requests that are no number',
      ['--user-requests', 'few'],
      /^--user-requests must be N or N:BURST, with N from 1 to 10000 and BURST from 1 to 100000, not "few"$/,
    ],
    ['no requests at all', ['--namespace-requests', '0'], /^--namespace-requests must be N or N:BURST/],
    ['an unknown option', ['--bogus'], /^unknown option --bogus; driftless --help lists the options$/],
    ['a positional argument', ['extra'], /^unexpected argument extra$/],
    ['an option without its value', ['--port'], /^--port needs a value: --port N$/],
    ['a value for a flag', ['--ephemeral=yes'], /^--ephemeral takes no value$/],
    ['a port that is not a number', ['--port', 'x'], /^--port must be a number from 0 to 65535, not "x"$/],
    ['a negative port', ['--port=-1'], /^--port must be/],
    ['a port above 65535', ['--port', '65536'], /^--port must be/],
    [
      'a concurrency below that of any account',
      ['--emulate-cloud', '--account-concurrency', '9'],
      /^--account-concurrency must be a number from 10, not "9"$/,
    ],
    ['an API that is neither', ['--emulate-cloud', '--api', 'x'], /^--api must be function or container, not "x"$/],
    ['an API without a cloud', ['--api', 'container'], /^--api needs --emulate-cloud$/],
    ['a concurrency without a cloud', ['--account-concurrency', '10'], /^--account-concurrency needs --emulate-cloud$/],
    [
      'a service without an address',
      ['--webhook-service', 'a/b'],
      /^--webhook-service must be NAMESPACE\/NAME=HOST:PORT$/,
    ],
    ['a service without a namespace', ['--webhook-service', 'b=localhost:1'], /^--webhook-service must be/],
    ['an address without a port', ['--webhook-service', 'a/b=localhost'], /^--webhook-service must be/],
    ['a port of an address above 65535', ['--webhook-service', 'a/b=localhost:65536'], /^--webhook-service must be/],
    ['a data directory without a name', ['--data-dir', ''], /^--data-dir must name a directory$/],
  ])('refuse %s with one line', (_, args, message) => {
    expect(() => parseStartOptions(args)).toThrow(UsageError);
    expect(() => parseStartOptions(args)).toThrow(message);
    expect(() => parseStartOptions(args)).not.toThrow(/\n/);
  });
});

describe('a manifest', () => {
  const fileOf = (text: string) => {
    const file = join(directory, 'manifest.yaml');
    writeFileSync(file, text);
    return file;
  };
  const object = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

  test('may have several documents, including empty ones and lists', async () => {
    const list = `apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Secret, metadata: {name: c}}]\n`;
    const file = fileOf(`${object('a')}---\n# nothing\n---\n${object('b')}---\n${list}`);
    const manifests = await readManifests(file);
    expect(manifests.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
  });

  test('may be JSON', async () => {
    const file = fileOf('{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}');
    expect(await readManifests(file)).toHaveLength(1);
  });

  test.each([
    ['that is not YAML', 'a: [', /manifest.yaml is not YAML/],
    ['without an object', '# nothing', /manifest.yaml holds no objects/],
    ['with an object that has no name', 'apiVersion: v1\nkind: ConfigMap', /an object has no metadata.name/],
    ['with a string instead of an object', 'hello', /is "hello", which is no object in YAML or JSON$/],
    ['with a number as its kind', 'apiVersion: v1\nkind: 7', /an object has no kind/],
  ])('%s is refused with one line', async (_, text, message) => {
    const file = fileOf(text);
    await expect(readManifests(file)).rejects.toThrow(UsageError);
    await expect(readManifests(file)).rejects.toThrow(message);
    await expect(readManifests(file)).rejects.not.toThrow(/\n/);
  });

  test('that does not exist is refused', async () => {
    await expect(readManifests('/nowhere.yaml')).rejects.toThrow(/^the manifest cannot be read: .*\/nowhere.yaml/);
  });
});
