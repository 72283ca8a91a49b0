import type { Pod } from '../../lambdas/objects/kinds.ts';

/** The behaviour of a simulated pod. A duration is a number of milliseconds or a text such as `5s` or `1m30s`. Each field stands for an annotation `simulate.driftless.dev/…`. */
export interface PodBehaviour {
  /** The time it takes to create the pod's containers. */
  readonly startDelay?: string | number;
  /** The time from a container's start to its first successful readiness probe. */
  readonly readyAfter?: string | number;
  /** The pod never becomes ready. */
  readonly neverReady?: boolean;
  /** No image can be pulled: ErrImagePull, then ImagePullBackOff. */
  readonly failPull?: boolean;
  /** The node has the pod's images already, as `imagePullPolicy: Never` demands. */
  readonly imagePresent?: boolean;
  /** How long each init container runs. */
  readonly initDuration?: string | number;
  /** Init containers end with exit code 1. */
  readonly failInit?: boolean;
  /** How long a container runs before it ends with exit code 1. If it is restarted, this leads to CrashLoopBackOff. */
  readonly crashAfter?: string | number;
  /** How long a container runs before it ends with exit code 0. */
  readonly completeAfter?: string | number;
  /** Replaces the exit code of `crashAfter` and `completeAfter`. */
  readonly exitCode?: number;
  /** Only the first so many starts of a container end with failure; the later ones succeed, or run on in a pod that is not of a Job. The template of a Job must say it itself to count over its pods. */
  readonly failAttempts?: number;
  /** Only the pods of a Job with these completion indexes fail: a list such as `0,3-5`. */
  readonly failIndexes?: string;
  /** The lines that each container writes when it starts. `kubectl logs` shows them. */
  readonly log?: string;
  /** How long a container takes to end after SIGTERM. */
  readonly terminationDelay?: string | number;
  /** Containers ignore SIGTERM, so they are killed at the end of their grace period. */
  readonly ignoreSigterm?: boolean;
}

/** Gives a behaviour to the pods that have this image in any container and all of these labels, in this namespace. An absent field matches every pod. */
export interface PodBehaviourRule {
  /** As written in the pod's spec. */
  readonly image?: string | RegExp;
  readonly labels?: Readonly<Record<string, string>>;
  readonly namespace?: string;
  readonly behave: PodBehaviour;
}

/** A pattern that a client wrote. A RegExp is only what this process was given by its own code. */
export interface ImagePattern {
  readonly pattern: string;
  /** True if it finds a match anywhere in the image. */
  matches(image: string): boolean;
}

/** A rule that acts: one of this process, or of an object. */
export interface ActingRule extends Omit<PodBehaviourRule, 'image'> {
  readonly image?: string | RegExp | ImagePattern;
}

/** Returns true if the rule applies to this pod. Pure. */
export function matchesRule({ image, labels = {}, namespace }: ActingRule, { metadata, spec }: Pod): boolean {
  if (namespace !== undefined && namespace !== metadata.namespace) return false;
  if (!Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value)) return false;
  if (image === undefined) return true;
  const images = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map((container) => container.image);
  return images.some((one = '') => isImage(image, one));
}

function isImage(wanted: string | RegExp | ImagePattern, image: string): boolean {
  if (typeof wanted === 'string') return wanted === image;
  return wanted instanceof RegExp ? image.search(wanted) >= 0 : wanted.matches(image);
}

/** Returns the annotations that ask for the behaviour. Pure. */
export function behaviourAnnotations(behave: PodBehaviour): Record<string, string> {
  const entries = Object.entries(behave).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [annotationOf(name), textOf(name, value)]));
}

/** `startDelay` → `simulate.driftless.dev/start-delay`. */
function annotationOf(name: string): string {
  return `simulate.driftless.dev/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function textOf(name: string, value: string | number | boolean): string {
  return typeof value === 'number' && name !== 'exitCode' && name !== 'failAttempts' ? `${value}ms` : String(value);
}
