import type { UserInfo } from '../rbac/UserInfo.ts';
import type { IncomingTrace } from './IncomingTrace.ts';

export type RequestTraceDecision =
  /** Nothing is recorded of the request. */
  | { readonly trace: 'none' }
  /** The request is a part of the client's trace. */
  | { readonly trace: 'continued'; readonly incoming: IncomingTrace }
  /** A new trace begins, which names the client's, if there is one. */
  | { readonly trace: 'begun'; readonly link: IncomingTrace | undefined };

export interface RequestTraceInput {
  readonly incoming: IncomingTrace | undefined;
  /** Whether the client's own decision counts, see `isTrusted`. */
  readonly isTrusted: boolean;
  /** Whether the request may write. A read causes nothing, so its trace would be a single span. */
  readonly mayWrite: boolean;
  /** The share of writes of which a trace begins here. */
  readonly sampleRate: number;
  /** A number evenly distributed over [0, 1). */
  readonly drawn: number;
}

/**
 * Decides to which trace a request belongs, as kube-apiserver does: who is trusted decides for itself, and the trace of anyone else is only named, since clients could make a cluster record everything. That of kube-apiserver also begins for
 * reads. Pure.
 */
export function decideRequestTrace(input: RequestTraceInput): RequestTraceDecision {
  const { incoming, isTrusted, mayWrite, sampleRate, drawn } = input;
  if (incoming && isTrusted) return incoming.isSampled ? { trace: 'continued', incoming } : { trace: 'none' };
  return mayWrite && drawn < sampleRate ? { trace: 'begun', link: incoming } : { trace: 'none' };
}

const TRUSTED_GROUPS = ['system:masters', 'system:monitoring'];

/** True for those who may decide that a request is traced: kube-apiserver's groups of administrators and of monitoring. Everyone is trusted where nobody has a name. Pure. */
export function isTrusted(user: Pick<UserInfo, 'groups'> | undefined): boolean {
  return user === undefined || TRUSTED_GROUPS.some((group) => user.groups.includes(group));
}
