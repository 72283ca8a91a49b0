import type { DriftlessStackProps } from '../cdk/DriftlessStackProps.ts';
import type { DeployedKnobs } from '../cdk/deployedKnobs.ts';
import type { Cleanups } from './Cleanups.ts';
import type { ClusterApi } from './ClusterApi.ts';
import type { DeployedStack, StackAccount } from './StackAccount.ts';
import type { RunClock } from './RunClock.ts';

/** What the steps of a run look at, and what they share. */
export interface Place {
  readonly api: ClusterApi;
  /** How long a packet to the server takes, there and back. */
  readonly roundTripMs: number;
  /** True if the server is on this machine: its times are not those of AWS. */
  readonly isLocal: boolean;
  /** Absent if there is no account, or none that tells of the stack. */
  readonly cloud: Cloud | undefined;
  /** Why there is none, as a clause. */
  readonly withoutCloud: string;
  /** What this run is called. Others that run at the same time have other names. */
  readonly runId: string;
  /** The namespace of this run alone. */
  readonly namespace: string;
  readonly beganMs: number;
  readonly clock: RunClock;
  /** What has to be undone when the step that is running ends. */
  readonly cleanups: Cleanups;
}

/** A stack and the account in which it is. */
export interface Cloud {
  readonly account: StackAccount;
  readonly stack: DeployedStack;
  /** Absent if the stack was deployed by a release that did not note its knobs. */
  readonly knobs: DeployedKnobs | undefined;
}

/** A step about the stack has this. Throws if it is asked for where `unavailable` has said that there is none. */
export function cloudOf({ cloud }: Place): Cloud {
  if (cloud) return cloud;
  throw new Error('the step is about a stack in an account');
}

/** The reason that a step about the stack gives, or undefined if there is a stack of which `reason` has nothing to say. Pure. */
export function unlessInCloud(
  place: Place,
  reason: (cloud: Cloud) => string | undefined = () => undefined,
): string | undefined {
  return place.cloud ? reason(place.cloud) : place.withoutCloud;
}

/** What a knob is in this stack; undefined if nobody knows. */
export function knobOf<Name extends keyof DriftlessStackProps>(
  { cloud }: Place,
  name: Name,
): DriftlessStackProps[Name] | undefined {
  return cloud?.knobs?.props[name];
}
