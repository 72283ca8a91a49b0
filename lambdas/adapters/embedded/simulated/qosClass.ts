import type { Container } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../../objects/kinds.ts';

/** The pod's quality of service: Guaranteed if each container limits both cpu and memory to what it requests, BestEffort if none asks for any, else Burstable. Pure. */
export function qosClass({ spec }: Pod): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const asks = containers.map(isGuaranteed);
  if (containers.length > 0 && asks.every((ask) => ask === true)) return 'Guaranteed';
  return asks.every((ask) => ask === undefined) ? 'BestEffort' : 'Burstable';
}

/** `undefined` for a container that asks for nothing. */
function isGuaranteed({ resources }: Container): boolean | undefined {
  const amounts = ['cpu', 'memory'].map((name) => [resources?.requests?.[name], resources?.limits?.[name]] as const);
  if (amounts.every(([request, limit]) => request === undefined && limit === undefined)) return undefined;
  return amounts.every(([request, limit]) => limit !== undefined && (request ?? limit) === limit);
}
