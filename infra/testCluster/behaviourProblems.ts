import { parsePodScript } from '../../lambdas/adapters/simulated/parsePodScript.ts';
import type { Pod } from '../../lambdas/objects/kinds.ts';
import { behaviourAnnotations, type PodBehaviour } from './PodBehaviour.ts';

const BEHAVIOURS = {
  startDelay: 'duration',
  readyAfter: 'duration',
  neverReady: 'flag',
  failPull: 'flag',
  imagePresent: 'flag',
  initDuration: 'duration',
  failInit: 'flag',
  crashAfter: 'duration',
  completeAfter: 'duration',
  exitCode: 'code',
  failAttempts: 'count',
  failIndexes: 'indexes',
  log: 'text',
  terminationDelay: 'duration',
  ignoreSigterm: 'flag',
} as const satisfies Record<keyof PodBehaviour, string>;

const WANTED = {
  duration: 'milliseconds, or a duration such as 5s or 1m30s',
  flag: 'true or false',
  code: 'an exit code from 0 to 255',
  count: 'a whole number',
  text: 'a text',
  indexes: 'a list of completion indexes such as 0,3-5',
};

/** The types that the simulation takes as they are. */
const PLAIN = { flag: 'boolean', text: 'string' };

/** The fields of a behaviour. */
export const BEHAVIOUR_FIELDS: readonly string[] = Object.keys(BEHAVIOURS);

/** A field of a behaviour with a value that it cannot have. */
export interface BehaviourProblem {
  readonly field: string;
  /** What the field takes: `an exit code from 0 to 255`. */
  readonly wanted: string;
  readonly value: unknown;
}

/** Returns what is wrong with a behaviour. The simulation ignores an annotation that it cannot read; in a rule it is a mistake of the test. Pure. */
export function behaviourProblems(behave: PodBehaviour): readonly BehaviourProblem[] {
  const problems: BehaviourProblem[] = [];
  for (const [field, type] of Object.entries(BEHAVIOURS)) {
    const value = behave[field as keyof PodBehaviour];
    if (value === undefined) continue;
    const isRight = type in PLAIN ? typeof value === PLAIN[type as keyof typeof PLAIN] : isReadable({ [field]: value });
    if (!isRight) problems.push({ field, wanted: WANTED[type], value });
  }
  return problems;
}

function isReadable(behave: PodBehaviour): boolean {
  const pod = { metadata: { annotations: behaviourAnnotations(behave) } } as unknown as Pod;
  return parsePodScript(pod).problems.length === 0;
}
