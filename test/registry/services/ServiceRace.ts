import type { ServiceSpec } from 'kubernetes-types/core/v1.js';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { ObjectStore } from '../../../lambdas/ports/ObjectStore.ts';
import { createRegistry } from '../../../lambdas/registry/createRegistry.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { holdingsOf } from '../../../lambdas/registry/services/Holding.ts';
import { parseClusterIpRanges, parseNodePortRange } from '../../../lambdas/registry/services/ServiceNetwork.ts';
import { Random } from '../../simulation/Random.ts';
import type { Scheduler } from '../../simulation/Scheduler.ts';
import { ShuffledStore } from './ShuffledStore.ts';

/** A deliberate defect of the store, to see that the race finds what it leads to. */
export interface RaceMutation {
  readonly name: string;
  readonly what: string;
  /** What the race says of it. */
  readonly finds: RegExp;
  disguise(store: ObjectStore): ObjectStore;
}

const CLAIMS = ['ipaddresses.networking.k8s.io', 'nodeports.driftless.dev'];
const SERVERS = 4;
const ROUNDS = 8;
const MOST_IDLE_TURNS = 1000;
/** Few enough addresses and ports that the Services want the same ones. */
const NETWORK = {
  ranges: parseClusterIpRanges('10.96.0.0/28,fd00::/124'),
  nodePorts: parseNodePortRange('30000-30007'),
};
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
/** What a client can be told in such a race. */
const EXPECTED =
  /is already allocated|range is full|already exists|not found|object has been modified|may not change once set|must be|may not be set for ExternalName|UID in precondition/;

type Spec = Record<string, unknown>;

const SPECS: readonly Spec[] = [
  {},
  { clusterIP: '10.96.0.5' },
  { ipFamilyPolicy: 'PreferDualStack' },
  { type: 'NodePort' },
  { type: 'NodePort', ports: [{ port: 80, nodePort: 30_003 }] },
  // Has two node ports, each of which another Service can be quicker to take.
  ...Array.from({ length: 4 }, () => ({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' })),
  { type: 'ExternalName', externalName: 'example.com' },
];
const CHANGES: readonly Spec[] = [
  { type: 'ClusterIP', externalName: undefined },
  { type: 'NodePort', externalName: undefined },
  { type: 'ExternalName', externalName: 'example.com' },
  { ipFamilyPolicy: 'SingleStack' },
  { ipFamilyPolicy: 'PreferDualStack' },
];

/**
 * Lets several servers create, change and delete the same few Services in the same narrow ranges at once. Returns what was wrong: two Services with the same address or node port at any time, an unexpected refusal, or, in the end, a
 * claim that no Service has, or the other way round. All of it follows from the seed, if the store's time is the scheduler's.
 */
export async function raceServices(
  store: ObjectStore,
  scheduler: Scheduler,
  seed: number,
  mutation?: RaceMutation,
): Promise<string[]> {
  const race = { isOver: false };
  const racing = runRace(store, scheduler, seed, mutation).finally(() => {
    race.isOver = true;
  });
  // Awaited below, unless the race stands still.
  racing.catch(() => {});
  // A store of this process is not on the scheduler's time: it answers some turns later.
  for (let idle = 0; !race.isOver && idle < MOST_IDLE_TURNS; ) {
    if (await scheduler.step(Number.POSITIVE_INFINITY)) idle = 0;
    else idle += await turn();
  }
  if (!race.isOver) throw new Error('the race stands still');
  return await racing;
}

function turn(): Promise<1> {
  return new Promise((resolve) => setImmediate(() => resolve(1)));
}

async function runRace(
  store: ObjectStore,
  scheduler: Scheduler,
  seed: number,
  mutation: RaceMutation | undefined,
): Promise<string[]> {
  const random = new Random(seed);
  const found = new Set<string>();
  const onWrite = async (resource: string) => {
    if (resource === 'services') for (const twice of await heldTwice(store)) found.add(twice);
  };
  const servers = Array.from({ length: SERVERS }, (_, index) => {
    const shuffled = new ShuffledStore(store, scheduler, random.fork(), onWrite);
    const objectStore = mutation ? mutation.disguise(shuffled) : shuffled;
    const catalog = createResourceCatalog(resourceEntries);
    const ids = new SeededIds(seed * SERVERS + index);
    return createRegistry({ objectStore, clock: scheduler, ids, catalog, serviceNetwork: NETWORK });
  });
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } };
  await servers[0]?.create('namespaces', namespace);
  await Promise.all(
    servers.map(async (registry) => {
      const own = random.fork();
      for (let round = 0; round < ROUNDS; round += 1) {
        const refusal = await act(registry, own);
        if (refusal !== undefined && !EXPECTED.test(refusal)) found.add(refusal);
      }
    }),
  );
  return [...found, ...(await unmatched(store))];
}

async function act(registry: Registry, random: Random): Promise<string | undefined> {
  const key = { resource: 'services', namespace: 'ns', name: random.pick(NAMES) };
  const kind = random.integer(1, 4);
  if (kind === 1) return messageOf(await registry.delete(key));
  const old = kind === 2 ? await registry.get(key) : undefined;
  if (!old) {
    const spec = { ports: [{ port: 80 }], selector: { a: 'b' }, ...random.pick(SPECS) };
    const metadata = { name: key.name, namespace: key.namespace };
    return messageOf(await registry.create('services', { apiVersion: 'v1', kind: 'Service', metadata, spec }));
  }
  const spec = { ...(old['spec'] as Spec), ...random.pick(CHANGES) };
  return messageOf(await registry.update('services', structuredClone({ ...old, spec }) as KubernetesObject));
}

function messageOf(outcome: { readonly status: string; readonly error?: Error }): string | undefined {
  return outcome.error?.message;
}

async function heldTwice(store: ObjectStore): Promise<string[]> {
  const { items } = await store.list('services');
  const owners = new Map<string, string>();
  return items.flatMap((service) => [
    ...heldTwiceByItself(service),
    ...[...holdingsOf(service)].flatMap((holding) => {
      const owner = owners.get(holding);
      owners.set(holding, service.metadata.name);
      return owner === undefined ? [] : [`${holding} is held twice`];
    }),
  ]);
}

function heldTwiceByItself({ metadata, ...service }: KubernetesObject): string[] {
  const { ports = [], healthCheckNodePort } = service['spec'] as ServiceSpec;
  const isTwice = healthCheckNodePort && ports.some(({ nodePort }) => nodePort === healthCheckNodePort);
  return isTwice ? [`${metadata.name} has port/${healthCheckNodePort} for its health check and for a port`] : [];
}

/** When all is done, what Services hold is what is claimed for them. */
async function unmatched(store: ObjectStore): Promise<string[]> {
  const { items } = await store.list('services');
  const held = new Set(
    items.flatMap((service) => [...holdingsOf(service)].map((one) => `${service.metadata.name} ${one}`)),
  );
  const claims = await Promise.all(CLAIMS.map((resource) => store.list(resource)));
  const claimed = new Set(
    claims.flatMap((list, index) => list.items.map((one) => claimText(one, index === 0 ? 'ip' : 'port'))),
  );
  return [
    ...[...held].filter((one) => !claimed.has(one)).map((one) => `${one} is not claimed`),
    ...[...claimed].filter((one) => !held.has(one)).map((one) => `${one} is claimed for nothing`),
  ];
}

function claimText({ metadata, ...claim }: KubernetesObject, range: string): string {
  const { parentRef } = claim['spec'] as { parentRef: { name: string } };
  return `${parentRef.name} ${range}/${metadata.name}`;
}

/** Another caller's view of a store, with some methods in the place of its own. */
function instead(store: ObjectStore, methods: Partial<ObjectStore>): ObjectStore {
  return {
    get: store.get.bind(store),
    list: store.list.bind(store),
    create: store.create.bind(store),
    replace: store.replace.bind(store),
    remove: store.remove.bind(store),
    burn: store.burn.bind(store),
    ...methods,
  };
}

export const RACE_MUTATIONS: readonly RaceMutation[] = [
  {
    name: 'claims-not-exclusive',
    what: 'a claim that exists already is given to whoever asks next',
    finds: /is held twice/,
    disguise: (store) =>
      instead(store, {
        create: async (resource, object) => {
          const outcome = await store.create<never>(resource, object);
          const isShared = CLAIMS.includes(resource) && outcome.status === 'exists' && outcome.current;
          return isShared ? { status: 'stored', object: outcome.current } : outcome;
        },
      }),
  },
  {
    name: 'claims-dropped',
    what: 'no claim is stored, and the list of Services alone says what is free',
    finds: /is held twice/,
    disguise: (store) =>
      instead(store, {
        create: async (resource, object) =>
          CLAIMS.includes(resource)
            ? { status: 'stored', object: object as never }
            : store.create<never>(resource, object),
      }),
  },
  {
    name: 'claims-never-released',
    what: 'what a deleted Service had is kept for it',
    finds: /is claimed for nothing/,
    disguise: (store) =>
      instead(store, {
        remove: async (key, preconditions) =>
          CLAIMS.includes(key.resource) ? { status: 'absent' } : store.remove<never>(key, preconditions),
      }),
  },
];
