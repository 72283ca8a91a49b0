import { readKnobsMetadata } from '../../../infra/cdk/deployedKnobs.ts';
import { ReadError } from '../../../infra/preflight/AccountReads.ts';
import { Cleanups } from '../../../infra/verify/Cleanups.ts';
import { ClusterApi } from '../../../infra/verify/ClusterApi.ts';
import type { Cloud, Place } from '../../../infra/verify/Place.ts';
import type {
  AccountChanges,
  DeployedStack,
  Observations,
  StackAccount,
  StackReads,
  StoredItem,
  TableState,
} from '../../../infra/verify/StackAccount.ts';
import { SkippingClock } from './SkippingClock.ts';

/** A call that a test does not expect. */
const unexpected = (what: string) => () => {
  throw new Error(`nobody should ask for ${what}`);
};

/** What a test's account answers, and what was changed in it. What is not given is not to be asked for. */
export interface FakeAccount {
  readonly reads?: Partial<StackReads>;
  readonly observations?: Partial<Observations>;
  readonly changes?: Partial<AccountChanges>;
}

export function accountOf({ reads, observations, changes }: FakeAccount): StackAccount {
  return {
    region: 'us-east-1',
    reads: strict(reads ?? {}),
    observations: strict(observations ?? {}),
    changes: strict(changes ?? {}),
  };
}

/** The methods that are given; any other fails. */
function strict<T extends object>(given: Partial<T>): T {
  return new Proxy(given, {
    get: (target, name) => Reflect.get(target, name) ?? unexpected(String(name)),
  }) as T;
}

/** A stack with these resources, by logical id, as `[type, physical id]`. */
export function stackOf(
  resources: Readonly<Record<string, readonly [type: string, physicalId: string]>>,
): DeployedStack {
  const entries = Object.entries(resources);
  return {
    name: 'driftless',
    status: 'CREATE_COMPLETE',
    outputs: {},
    resources: Object.fromEntries(entries.map(([id, [Type]]) => [id, { Type }])),
    metadata: {},
    physicalIds: Object.fromEntries(entries.map(([id, [, physicalId]]) => [id, physicalId])),
  };
}

interface PlaceParts {
  readonly account?: FakeAccount;
  readonly stack?: DeployedStack;
  readonly knobs?: Readonly<Record<string, unknown>>;
  readonly send?: (path: string, init?: RequestInit) => Promise<Response>;
  readonly clock?: SkippingClock;
}

/** A place of a test. Without a stack it is a server without an account. */
export function placeOf({ account = {}, stack, knobs = {}, send, clock = new SkippingClock() }: PlaceParts): Place {
  const cloud: Cloud | undefined = stack && {
    account: accountOf(account),
    stack,
    knobs: readKnobsMetadata({ release: '0.1.0', knobs }),
  };
  return {
    api: new ClusterApi(send ?? (() => Promise.resolve(Response.json({ metadata: {} }))), clock),
    roundTripMs: 0,
    isLocal: true,
    cloud,
    withoutCloud: 'no account is behind it',
    runId: '1a2b3c4d',
    namespace: 'driftless-verify-1a2b3c4d',
    beganMs: clock.now(),
    clock,
    cleanups: new Cleanups(),
  };
}

export function deniedCall(action: string): () => Promise<never> {
  return () => Promise.reject(new ReadError(action, 'denied', { message: 'AccessDenied: no' }));
}

export function tableState(changes: Partial<TableState> = {}): TableState {
  return {
    status: 'ACTIVE',
    isProtected: true,
    streamView: undefined,
    expiryAttribute: undefined,
    bytes: 1_000_000,
    recovery: undefined,
    ...changes,
  };
}

/** Items as `items` yields them: `key: [version, contents]`. */
export async function* itemsOf(
  items: Readonly<Record<string, readonly [version: number, contents: string]>>,
): AsyncGenerator<StoredItem> {
  for (const [key, [version, digest]] of Object.entries(items)) yield { key, version, digest };
}
