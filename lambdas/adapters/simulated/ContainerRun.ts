import type { Container, ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import type { PodScript } from './parsePodScript.ts';

/** One container of a pod at one moment, and what decides what becomes of it. */
export interface ContainerRun {
  readonly pod: Pod;
  readonly container: Container;
  /** `init` runs to its end before the next one starts, `sidecar` is an init container that stays, `main` is a regular one. */
  readonly role: 'init' | 'sidecar' | 'main';
  readonly script: PodScript;
  /** What the pod's status says of it, if anything. */
  readonly before: ContainerStatus | undefined;
  /** When it may be started, in milliseconds since the epoch; `undefined` while it waits for init containers. */
  readonly mayStartAtMs: number | undefined;
  readonly nowMs: number;
}

/** The container's status now, and when it changes by itself. */
export interface ContainerStep {
  readonly status: ContainerStatus;
  readonly nextAtMs?: number;
}

/** So long the container runs before it ends by itself; `undefined`: until it is stopped. */
export function runMsOf({ role, script }: ContainerRun): number | undefined {
  if (role === 'sidecar') return undefined;
  return role === 'init' ? script.initDurationMs : script.runMs;
}

/** The exit code with which it ends by itself. */
export function exitCodeOf({ role, script }: ContainerRun): number {
  if (role === 'main') return script.exitCode;
  return role === 'init' && script.failInit ? 1 : 0;
}

/** Whether a kubelet starts it again once it has ended so. */
export function isRestarted({ pod, role }: Pick<ContainerRun, 'pod' | 'role'>, exitCode: number): boolean {
  const policy = pod.spec?.restartPolicy ?? 'Always';
  if (role === 'sidecar') return true;
  if (role === 'init') return exitCode !== 0 && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}
