import { describe, expect, it } from 'vitest';
import type { DeployedStack } from '../../../infra/verify/StackAccount.ts';
import { runSteps } from '../../../infra/verify/runSteps.ts';
import { STEPS } from '../../../infra/verify/STEPS.ts';
import { synthesizeStack } from '../cdk/synthesizeStack.ts';
import { type FakeAccount, placeOf } from './FakeAccount.ts';

/** The stack that these knobs make, each of whose resources is known by its logical id. */
function deployedWith(knobs: Readonly<Record<string, unknown>>): DeployedStack {
  const template = synthesizeStack(knobs).toJSON() as Pick<DeployedStack, 'metadata'> & {
    readonly Resources: DeployedStack['resources'];
    readonly Outputs: object;
  };
  const ids = Object.keys(template.Resources);
  return {
    name: 'driftless',
    status: 'CREATE_COMPLETE',
    outputs: Object.fromEntries(Object.keys(template.Outputs).map((name) => [name, name])),
    resources: template.Resources,
    metadata: {},
    physicalIds: Object.fromEntries(ids.map((id) => [id, id])),
  };
}

const WATCHED = { alarms: 'all', alarmEmail: 'ops@example.com', monthlyBudget: 20, audit: 'metadata' };
const FUNCTION = deployedWith(WATCHED);
const CONTAINER = deployedWith({ ...WATCHED, api: 'container', workerGroup: {} });

/** The steps that have nothing to say of this stack, but for those that ask whether the server is on this machine. */
function unavailableIn(stack: DeployedStack): readonly string[] {
  const place = { ...placeOf({ stack }), isLocal: false };
  return STEPS.filter((step) => step.unavailable(place) !== undefined).map(({ id }) => id);
}

describe('a stack that is deployed with all that can be watched', () => {
  it.each([
    ['whose API is a function', FUNCTION, ['zones', 'container', 'workers']],
    ['whose API is a container, with nodes', CONTAINER, ['watch-length', 'throttle']],
  ])('%s, is looked at by all other steps', (_name, stack, expected) => expect(unavailableIn(stack)).toEqual(expected));
});

async function run(
  id: string,
  stack: DeployedStack,
  account: FakeAccount,
  send?: Parameters<typeof placeOf>[0]['send'],
) {
  const place = placeOf({ stack, account, ...(send && { send }) });
  const choice = { only: [id], including: [id], mayCost: () => Promise.resolve(true) };
  const [outcome] = await runSteps(place, choice, () => {});
  return outcome;
}

const zone = (name: string, id: string) => ({ name, id });
const ZONES = [zone('us-east-1a', 'use1-az3'), zone('us-east-1b', 'use1-az1'), zone('us-east-1c', 'use1-az2')];

describe('the zones of a template', () => {
  const subnetsIn = (places: readonly number[]) => ({
    reads: {
      subnets: async (ids: readonly string[]) =>
        ids.map((id, at) => ({ id, vpcId: 'v', zone: ZONES[places[at] ?? 0] ?? zone('', ''), freeAddresses: 200 })),
      zones: async () => ZONES,
      defaultSubnetZones: async () => ZONES.map(({ name }) => name),
    },
  });
  const byName = deployedWith({ workerGroup: {} });
  const byId = deployedWith({ api: 'container', zoneIds: ['use1-az2', 'use1-az1'] });

  it.each([
    ['of a container, looked up by region', CONTAINER, [1, 2], 'ok'],
    ['of a container, in the other order', CONTAINER, [2, 1], 'differs'],
    ['of a container, where there are no VPC links', CONTAINER, [0, 1], 'failed'],
    ['of a container, as the knob names them', byId, [2, 1], 'ok'],
    ['of nodes beside a function', byName, [0, 1], 'ok'],
    ['of nodes beside a function, in others', byName, [1, 2], 'differs'],
  ])('%s', async (_name, stack, places, kind) =>
    expect((await run('zones', stack, subnetsIn(places)))?.kind).toBe(kind),
  );
});

describe('alarms of a template', () => {
  it('are set off by the names that CloudWatch knows', async () => {
    const set: string[] = [];
    const alarmNames: string[] = [];
    await run('alarm-groups', FUNCTION, {
      changes: { setAlarmState: async (name, state) => void set.push(`${name} ${state}`) },
      observations: {
        alarms: async (names) => {
          alarmNames.push(...names.filter((name) => name.includes('Group')));
          return {};
        },
      },
    });
    expect(set.map((one) => one.replace(/Alarm[0-9A-F]{8}/, 'Alarm'))).toEqual([
      'ThrottlesAlarm ALARM',
      'ErrorsAlarm ALARM',
      'ErrorsAlarm OK',
      'ThrottlesAlarm OK',
    ]);
    expect(alarmNames.slice(0, 2).map((name) => name.replace(/[0-9A-F]{8}$/, ''))).toEqual([
      'LimitsGroup',
      'ProgressGroup',
    ]);
  });
});

describe('nodes that have joined', () => {
  const node = (name: string, providerID: string, ready: string) => ({
    metadata: { name },
    spec: { providerID },
    status: { conditions: [{ type: 'Ready', status: ready }], nodeInfo: { kubeletVersion: 'v1.34.2' } },
  });
  const nodes = (ready: string) => ({
    items: [
      node('ip-10-0-0-1', 'aws:///us-east-1a/i-1', ready),
      node('driftless-node-1', 'driftless://driftless-node-1', 'True'),
    ],
  });

  async function runOn(ready: string, log: string) {
    const asked: string[] = [];
    const send = (path: string, { method = 'GET' }: RequestInit = {}) => {
      asked.push(`${method} ${path}`);
      if (path === '/api/v1/nodes') return Promise.resolve(Response.json(nodes(ready)));
      if (path.endsWith('/log')) return Promise.resolve(new Response(log));
      return Promise.resolve(Response.json({ metadata: {}, status: { phase: 'Succeeded' } }));
    };
    return { outcome: await run('workers', CONTAINER, {}, send), asked };
  }

  it('run a pod in the namespace of the run, whose log is read', async () => {
    const { outcome, asked } = await runOn('True', 'driftless-was-here\n');
    expect(outcome?.kind).toBe('ok');
    expect(outcome?.seen).toMatch(/^1 real nodes \(v1\.34\.2\) are ready/);
    expect(asked.filter((one) => one.startsWith('POST'))).toEqual([
      'POST /api/v1/namespaces/driftless-verify-1a2b3c4d/pods',
    ]);
  });

  it.each([
    ['that are not ready', 'False', ''],
    ['whose log is another', 'True', 'nothing'],
  ])('%s, fail', async (_name, ready, log) => expect((await runOn(ready, log)).outcome?.kind).toBe('failed'));
});
