import type * as core from 'kubernetes-types/core/v1.js';
import { isHttpHeaderName } from '../../../objects/nameFormats.ts';
import {
  all,
  type Check,
  fields,
  format,
  ifPresent,
  nonEmptyList,
  nonEmptyText,
  notNegative,
  oneInOrder,
  when,
  wrong,
} from '../checks.ts';
import { forbidden, invalid, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, numberOf } from '../fieldsOf.ts';
import { validatePortNumberOrName } from './validateContainerPorts.ts';

const headerName = format(isHttpHeaderName);

/** As in Kubernetes, the error of a header names the list. */
const httpHeaders: Check = (headers, path) =>
  itemsOf<core.HTTPHeader>(headers).flatMap(({ name }) => headerName(name, path));

const exec = fields<core.ExecAction>({ command: nonEmptyList() });
const port = fields({ port: validatePortNumberOrName });
const httpGet = fields<core.HTTPGetAction>({
  path: nonEmptyText(),
  port: validatePortNumberOrName,
  scheme: oneInOrder('HTTP', 'HTTPS'),
  httpHeaders,
});

/** A sleep must end within the pod's grace period. */
function sleepWithin(gracePeriodSeconds: number | undefined): Check {
  return (action, path) => {
    const seconds = numberOf(fieldsOf<{ seconds: number }>(action).seconds);
    if (gracePeriodSeconds === undefined || (seconds > 0 && seconds <= gracePeriodSeconds)) return [];
    const limit = `must be greater than 0 and less than terminationGracePeriodSeconds (${gracePeriodSeconds})`;
    const gate = 'Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.';
    return [invalid(path, seconds, `${limit}. ${gate}`)];
  };
}

/** The first of the handlers is checked, and all others are refused. */
function oneHandler(handlers: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    const actions = fieldsOf<Record<string, unknown>>(value);
    const [first, ...others] = Object.entries(handlers).filter(([type]) => isPresent(actions[type]));
    if (first === undefined) return [required(path, 'must specify a handler type')];
    const [type, check] = first;
    return [
      ...check(actions[type], `${path}.${type}`),
      ...others.map(([other]) => forbidden(`${path}.${other}`, 'may not specify more than 1 handler type')),
    ];
  };
}

/** A probe for its purpose. */
export function validateProbe(purpose: 'liveness' | 'readiness' | 'startup'): Check {
  const isReadiness = purpose === 'readiness';
  return ifPresent(
    all(
      oneHandler({ exec, httpGet, tcpSocket: port, grpc: port }),
      fields<core.Probe>({
        initialDelaySeconds: notNegative,
        timeoutSeconds: notNegative,
        periodSeconds: notNegative,
        successThreshold: notNegative,
        failureThreshold: notNegative,
        terminationGracePeriodSeconds: ifPresent((seconds, path) =>
          numberOf(seconds) <= 0 ? [invalid(path, seconds, 'must be greater than 0')] : [],
        ),
      }),
      fields<core.Probe>({
        successThreshold: (count, path) =>
          isReadiness || numberOf(count) === 1 ? [] : [invalid(path, numberOf(count), 'must be 1')],
        terminationGracePeriodSeconds: when(isReadiness, ifPresent(wrong('must not be set for readinessProbes'))),
      }),
    ),
  );
}

/** A container's lifecycle hooks. */
export function validateLifecycle(gracePeriodSeconds: number | undefined): Check {
  const sleep = sleepWithin(gracePeriodSeconds);
  const hook = ifPresent(oneHandler({ exec, httpGet, tcpSocket: port, sleep }));
  return fields<core.Lifecycle>({ postStart: hook, preStop: hook });
}
