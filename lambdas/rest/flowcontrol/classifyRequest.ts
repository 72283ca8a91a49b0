import type { FlowSchema as ApiFlowSchema, PriorityLevelConfiguration } from 'kubernetes-types/flowcontrol/v1.js';
import type { UserInfo } from '../rbac/UserInfo.ts';
import type { RequestInfo } from '../request/RequestInfo.ts';
import { matchesFlowSchema } from './matchFlowSchema.ts';

export type FlowSchema = ApiFlowSchema & { readonly metadata: { readonly name: string } };
export type PriorityLevel = PriorityLevelConfiguration & { readonly metadata: { readonly name: string } };

/** The schemas, in the order in which requests are compared with them, and the levels by their names. */
export interface FlowControlObjects {
  readonly schemas: readonly FlowSchema[];
  readonly levels: ReadonlyMap<string, PriorityLevel>;
}

/** What a request belongs to. */
export interface Flow {
  readonly schema: FlowSchema;
  readonly level: PriorityLevel;
  /** What distinguishes the flow from others of its schema: a user's name, a namespace, or nothing. */
  readonly distinguisher: string;
}

/** Puts schemas into the order of their precedence, and of their names where that is the same. Schemas whose level is missing concern no request, as in Kubernetes. Pure. */
export function orderFlowControl(schemas: readonly FlowSchema[], levels: readonly PriorityLevel[]): FlowControlObjects {
  const byName = new Map(levels.map((level) => [level.metadata.name, level]));
  const whole = schemas.filter(({ spec }) => byName.has(spec?.priorityLevelConfiguration.name ?? ''));
  return { schemas: whole.toSorted(byPrecedence), levels: byName };
}

function byPrecedence(a: FlowSchema, b: FlowSchema): number {
  const difference = (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0);
  return difference || (a.metadata.name < b.metadata.name ? -1 : 1);
}

/** Returns the flow of a request, by the first schema that it matches; `undefined` if none does, which the mandatory ones exclude for everybody who is in a group. Pure. */
export function classifyRequest(
  { schemas, levels }: FlowControlObjects,
  info: RequestInfo,
  user: UserInfo,
): Flow | undefined {
  const schema = schemas.find(({ spec }) => spec !== undefined && matchesFlowSchema(spec, info, user));
  const level = levels.get(schema?.spec?.priorityLevelConfiguration.name ?? '');
  return schema && level && { schema, level, distinguisher: distinguisherOf(schema, info, user) };
}

function distinguisherOf({ spec }: FlowSchema, { namespace }: RequestInfo, { username }: UserInfo): string {
  const method = spec?.distinguisherMethod?.type;
  if (method === 'ByUser') return username;
  return method === 'ByNamespace' ? namespace : '';
}
