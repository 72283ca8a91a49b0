import type { ExecAction, HTTPGetAction, Lifecycle, Probe, TCPSocketAction } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isHttpHeaderName } from '../../../objects/nameFormats.ts';
import { forbidden, invalid, invalidEach, nonNegative, notSupported, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, numberOf, textOf } from '../fieldsOf.ts';
import { validatePortNumberOrName } from './validateContainerPorts.ts';

type HandlerType = 'exec' | 'httpGet' | 'tcpSocket' | 'grpc' | 'sleep';
const PROBE_HANDLERS: readonly HandlerType[] = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const LIFECYCLE_HANDLERS: readonly HandlerType[] = ['exec', 'httpGet', 'tcpSocket', 'sleep'];
const SCHEMES = ['HTTP', 'HTTPS'];

/** Validates a probe for its purpose. */
export function validateProbe(
  probe: unknown,
  purpose: 'liveness' | 'readiness' | 'startup',
  path: string,
): FieldError[] {
  if (!isPresent(probe)) return [];
  const fields = fieldsOf<Probe>(probe);
  const successThreshold = numberOf(fields.successThreshold);
  const gracePeriod = fields.terminationGracePeriodSeconds;
  const gracePath = `${path}.terminationGracePeriodSeconds`;
  return [
    ...validateHandler(probe, PROBE_HANDLERS, undefined, path),
    ...nonNegative(`${path}.initialDelaySeconds`, numberOf(fields.initialDelaySeconds)),
    ...nonNegative(`${path}.timeoutSeconds`, numberOf(fields.timeoutSeconds)),
    ...nonNegative(`${path}.periodSeconds`, numberOf(fields.periodSeconds)),
    ...nonNegative(`${path}.successThreshold`, successThreshold),
    ...nonNegative(`${path}.failureThreshold`, numberOf(fields.failureThreshold)),
    ...(isPresent(gracePeriod) && numberOf(gracePeriod) <= 0
      ? [invalid(gracePath, gracePeriod, 'must be greater than 0')]
      : []),
    ...(purpose !== 'readiness' && successThreshold !== 1
      ? [invalid(`${path}.successThreshold`, successThreshold, 'must be 1')]
      : []),
    ...(purpose === 'readiness' && isPresent(gracePeriod)
      ? [invalid(gracePath, gracePeriod, 'must not be set for readinessProbes')]
      : []),
  ];
}

/** Validates a container's lifecycle hooks. A sleep must end within the pod's `gracePeriodSeconds`. */
export function validateLifecycle(
  lifecycle: unknown,
  gracePeriodSeconds: number | undefined,
  path: string,
): FieldError[] {
  const { postStart, preStop } = fieldsOf<Lifecycle>(lifecycle);
  return [
    ...(isPresent(postStart)
      ? validateHandler(postStart, LIFECYCLE_HANDLERS, gracePeriodSeconds, `${path}.postStart`)
      : []),
    ...(isPresent(preStop) ? validateHandler(preStop, LIFECYCLE_HANDLERS, gracePeriodSeconds, `${path}.preStop`) : []),
  ];
}

/** Validates the first handler and refuses all others. */
function validateHandler(
  handler: unknown,
  types: readonly HandlerType[],
  gracePeriodSeconds: number | undefined,
  path: string,
): FieldError[] {
  const actions = fieldsOf<Record<HandlerType, unknown>>(handler);
  const [first, ...others] = types.filter((type) => isPresent(actions[type]));
  if (first === undefined) return [required(path, 'must specify a handler type')];
  return [
    ...validateAction(first, actions[first], gracePeriodSeconds, `${path}.${first}`),
    ...others.map((type) => forbidden(`${path}.${type}`, 'may not specify more than 1 handler type')),
  ];
}

function validateAction(
  type: HandlerType,
  action: unknown,
  gracePeriodSeconds: number | undefined,
  path: string,
): FieldError[] {
  switch (type) {
    case 'exec': {
      const { command } = fieldsOf<ExecAction>(action);
      return Array.isArray(command) && command.length > 0 ? [] : [required(`${path}.command`)];
    }
    case 'httpGet':
      return validateHttpGet(action, path);
    case 'tcpSocket':
    case 'grpc':
      return validatePortNumberOrName(fieldsOf<TCPSocketAction>(action).port, `${path}.port`);
    case 'sleep':
      return validateSleep(numberOf(fieldsOf<{ seconds: number }>(action).seconds), gracePeriodSeconds, path);
  }
}

function validateHttpGet(action: unknown, path: string): FieldError[] {
  const httpGet = fieldsOf<HTTPGetAction>(action);
  const scheme = textOf(httpGet.scheme);
  return [
    ...(textOf(httpGet.path) === '' ? [required(`${path}.path`)] : []),
    ...validatePortNumberOrName(httpGet.port, `${path}.port`),
    ...(SCHEMES.includes(scheme) ? [] : [notSupported(`${path}.scheme`, scheme, SCHEMES)]),
    ...itemsOf<{ name: string }>(httpGet.httpHeaders).flatMap(({ name }) =>
      invalidEach(`${path}.httpHeaders`, textOf(name), isHttpHeaderName(textOf(name))),
    ),
  ];
}

function validateSleep(seconds: number, gracePeriodSeconds: number | undefined, path: string): FieldError[] {
  if (gracePeriodSeconds === undefined || (seconds > 0 && seconds <= gracePeriodSeconds)) return [];
  const limit = `must be greater than 0 and less than terminationGracePeriodSeconds (${gracePeriodSeconds})`;
  return [
    invalid(path, seconds, `${limit}. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`),
  ];
}
