import { parseDuration } from '../../lambdas/adapters/simulated/parseDuration.ts';
import { STATUS_CODES } from '../../lambdas/objects/ApiError.ts';
import { type Fault, FAULT_VERBS } from './Fault.ts';

export const FAULT_CALLERS = ['clients', 'controllers', 'everyone'] as const;

/** What is wrong with a fault. */
export interface FaultProblem {
  /** The path of the field in the fault: `respond.reason`; empty for the fault as a whole. */
  readonly field: string;
  /** The rule, as a sentence that begins with "a fault": `has exactly one of respond, conflict, delay`. */
  readonly rule: string;
}

const EFFECTS = ['respond', 'conflict', 'delay'] as const;
const FIELDS = ['verb', 'resource', 'namespace', 'name', 'times', 'by', ...EFFECTS];
const WRITES: readonly string[] = ['create', 'update', 'patch', 'delete'];

/** Throws a TypeError with the first problem of a fault. */
export function checkFault(fault: Fault): void {
  const [problem] = faultProblems(fault);
  if (problem) throw new TypeError(`faults.add: a fault ${problem.rule}`);
}

/** Returns what is wrong with a fault. Pure. */
export function faultProblems(fault: Fault): readonly FaultProblem[] {
  const unknown = Object.keys(fault).filter((field) => !FIELDS.includes(field));
  const effects = EFFECTS.filter((effect) => fault[effect] !== undefined);
  const { verb, by = 'clients', times, delay } = fault;
  const isForbiddenRead = by === 'controllers' && verb !== undefined && !WRITES.includes(verb);
  return [
    ...unknown.map((field) => ({
      field,
      rule: `has no field ${JSON.stringify(field)}; it has ${FIELDS.join(', ')}`,
    })),
    ...when(
      verb !== undefined && !FAULT_VERBS.includes(verb),
      'verb',
      `has a verb out of ${FAULT_VERBS.join(', ')}, not ${JSON.stringify(verb)}`,
    ),
    ...when(effects.length !== 1, '', `has exactly one of ${EFFECTS.join(', ')}`),
    ...when(!FAULT_CALLERS.includes(by), 'by', 'is met by "clients", "controllers" or "everyone"'),
    ...when(times !== undefined && !isCount(times), 'times', 'has times: an integer from 1'),
    ...when(delay !== undefined && !isDelay(delay), 'delay', 'delays by milliseconds, or a duration such as 5s'),
    ...when(delay !== undefined && by !== 'clients', 'delay', 'delays requests of clients only'),
    ...when(isForbiddenRead, 'verb', 'lets controllers read'),
    ...respondProblems(fault.respond),
  ];
}

function when(isWrong: boolean, field: string, rule: string): readonly FaultProblem[] {
  return isWrong ? [{ field, rule }] : [];
}

function isCount(times: number): boolean {
  return Number.isSafeInteger(times) && times > 0;
}

function isDelay(delay: string | number): boolean {
  const ms = typeof delay === 'number' ? delay : parseDuration(delay);
  return ms !== undefined && Number.isFinite(ms) && ms >= 0;
}

function respondProblems(respond: Fault['respond']): readonly FaultProblem[] {
  if (!respond) return [];
  const { reason, code } = respond;
  if (reason === undefined && code === undefined) return when(true, 'respond', 'responds with a reason or a code');
  const reasons = Object.keys(STATUS_CODES);
  if (reason !== undefined && !(reason in STATUS_CODES))
    return when(true, 'respond.reason', `responds with a reason out of ${reasons.join(', ')}`);
  const codes: number[] = reason === undefined ? Object.values(STATUS_CODES) : [STATUS_CODES[reason]];
  const isWrong = code !== undefined && !codes.includes(code);
  return when(isWrong, 'respond.code', `responds with a code out of ${[...new Set(codes)].join(', ')}`);
}
