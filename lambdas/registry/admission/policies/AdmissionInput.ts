import type { Variable } from 'kubernetes-types/admissionregistration/v1.js';
import { toCelValue } from '../../apiextensions/rules/toCelValue.ts';
import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import type { CelType } from '../../cel/CelType.ts';
import { AuthorizerValue, ResourceCheckValue } from '../../cel/evaluate/AuthorizationValue.ts';
import { CelError, CelMap, type CelMapSource, type CelResult, type CelValue } from '../../cel/evaluate/CelValue.ts';
import type { Variables } from '../../cel/evaluate/evaluate.ts';
import { textOf } from '../../validation/fieldsOf.ts';
import { admissionEnvironment, type EnvironmentOptions, NAMESPACE_SCHEMA } from './AdmissionEnvironment.ts';
import { compileCondition, type Condition, type CostBudget } from './Condition.ts';

/** What the expressions of one request see, as JSON. Absent members are `null` to them. */
export interface AdmissionInput {
  readonly object?: unknown;
  readonly oldObject?: unknown;
  /** AdmissionRequest of admission.k8s.io/v1. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The request's namespace; absent for what has none. */
  readonly namespaceObject?: unknown;
  readonly params?: unknown;
  /** What the request may take. Kubernetes' limits for expressions hold besides. */
  readonly budget: RequestBudget;
  /** The user who asks, and whom to ask what the user may do. Absent: every check is allowed. */
  readonly authorizer?: AuthorizerValue;
}

/** The variables of a policy in their order: each may refer to those before it. */
export type CompiledVariables = ReadonlyMap<string, Condition>;

/** Compiles the variables of a policy, and returns the types by which expressions know them. Pure. */
export function compileVariables(
  variables: readonly Variable[],
  options: EnvironmentOptions,
): { readonly compiled: CompiledVariables; readonly types: ReadonlyMap<string, CelType> } {
  const compiled = new Map<string, Condition>();
  const types = new Map<string, CelType>();
  for (const variable of variables) compiled.set(variable.name, compileVariable(variable, options, types));
  return { compiled, types };
}

/** Compiles the next variable of a policy, and adds its type to those that later expressions know. */
export function compileVariable(
  { name, expression }: Variable,
  options: EnvironmentOptions,
  types: Map<string, CelType>,
): Condition {
  const condition = compileCondition(expression, admissionEnvironment({ ...options, variables: types }));
  types.set(name, 'error' in condition ? { kind: 'dyn' } : condition.type);
  return condition;
}

/** Returns the values of names. A variable is evaluated when it is first asked for, once, and its cost is taken from the budget. */
export function bindVariables(input: AdmissionInput, compiled: CompiledVariables, budget: CostBudget): Variables {
  const values = new Map<string, CelValue>();
  const lookUp: Variables = (name) => {
    if (name === 'variables') return new CelMap(lazy);
    if (!isInput(name)) return undefined;
    const value = values.get(name) ?? inputValue(input, name);
    values.set(name, value);
    return value;
  };
  const lazy = new LazyVariables(compiled, (name, condition) => budget.runVariable(name, condition, lookUp));
  return lookUp;
}

type InputName = 'object' | 'oldObject' | 'request' | 'namespaceObject' | 'params' | (typeof AUTHORIZERS)[number];

function inputValue(input: AdmissionInput, name: InputName): CelValue {
  if (name === 'authorizer') return authorizerOf(input);
  if (name === 'authorizer.requestResource') return requestCheck(input);
  return name === 'namespaceObject' ? toCelValue(namespaceOf(input), NAMESPACE_SCHEMA) : toCelValue(input[name]);
}

const AUTHORIZERS = ['authorizer', 'authorizer.requestResource'] as const;
const INPUTS: ReadonlySet<string> = new Set<InputName>([
  'object',
  'oldObject',
  'request',
  'namespaceObject',
  'params',
  ...AUTHORIZERS,
]);

function isInput(name: string): name is InputName {
  return INPUTS.has(name);
}

function authorizerOf({ authorizer }: AdmissionInput): AuthorizerValue {
  return authorizer ?? new AuthorizerValue({ username: '', groups: [] }, () => true);
}

/** A check of the access that the request itself asks for. */
function requestCheck(input: AdmissionInput): ResourceCheckValue {
  const { requestResource, subResource, namespace, name } = input.request;
  const { group, resource } = (requestResource ?? {}) as Readonly<Record<string, unknown>>;
  return new ResourceCheckValue(authorizerOf(input), {
    group: textOf(group),
    resource: textOf(resource),
    subresource: textOf(subResource),
    namespace: textOf(namespace),
    name: textOf(name),
  });
}

/** Expressions know the UID of a namespace's metadata as `UID`. */
function namespaceOf({ namespaceObject }: AdmissionInput): unknown {
  if (typeof namespaceObject !== 'object' || namespaceObject === null) return null;
  const { metadata, ...others } = namespaceObject as Readonly<Record<string, unknown>>;
  const { uid, ...members } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  return { ...others, metadata: { ...members, UID: uid } };
}

class LazyVariables implements CelMapSource {
  readonly #compiled: CompiledVariables;
  readonly #run: (name: string, condition: Condition) => CelResult;
  readonly #values = new Map<string, CelResult>();

  constructor(compiled: CompiledVariables, run: (name: string, condition: Condition) => CelResult) {
    this.#compiled = compiled;
    this.#run = run;
  }

  get size(): number {
    return this.#compiled.size;
  }

  get(key: CelValue): CelValue | undefined {
    const value = this.resolve(key);
    return value instanceof CelError ? undefined : value;
  }

  resolve(key: CelValue): CelResult | undefined {
    const condition = typeof key === 'string' ? this.#compiled.get(key) : undefined;
    if (typeof key !== 'string' || condition === undefined) return undefined;
    const value = this.#values.get(key) ?? this.#run(key, condition);
    this.#values.set(key, value);
    return value;
  }

  keys(): Iterable<CelValue> {
    return this.#compiled.keys();
  }
}
