/** The event of the schedule that keeps an instance of a function alive. It asks for nothing but what makes the next request quick. */
export interface WarmEvent {
  readonly what: 'warm';
}

/** True for the schedule's event. API Gateway's events have no such member, whatever a client sends. */
export function isWarmEvent(event: unknown): event is WarmEvent {
  return ((event ?? {}) as Readonly<Record<string, unknown>>)['what'] === 'warm';
}
