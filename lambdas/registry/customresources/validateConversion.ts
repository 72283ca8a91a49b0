import type { FieldError } from '../../objects/FieldError.ts';
import { isDns1035Label } from '../../objects/nameFormats.ts';
import { forbidden, invalid, notSupported, required } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent, textOf, textsOf } from '../validation/fieldsOf.ts';

interface ConversionFields {
  readonly strategy: string;
  readonly webhook: unknown;
}

interface WebhookFields {
  readonly clientConfig: unknown;
  readonly conversionReviewVersions: unknown;
}

/** The review versions that a webhook can be asked in. */
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** Returns the errors of the conversion between versions: Kubernetes' `validateCustomResourceConversion`. Pure. */
export function validateConversion(conversion: unknown, path: string): FieldError[] {
  if (!isPresent(conversion)) return [];
  const { strategy, webhook } = fieldsOf<ConversionFields>(conversion);
  const { clientConfig, conversionReviewVersions } = fieldsOf<WebhookFields>(webhook);
  const name = textOf(strategy);
  const strategyErrors =
    name === ''
      ? [required(`${path}.strategy`)]
      : ['None', 'Webhook'].includes(name)
        ? []
        : [notSupported(`${path}.strategy`, name, ['None', 'Webhook'])];
  if (name === 'Webhook')
    return [
      ...clientErrors(clientConfig, `${path}.webhookClientConfig`),
      ...reviewVersionErrors(textsOf(conversionReviewVersions), `${path}.conversionReviewVersions`),
    ];
  const why = 'should not be set when strategy is not set to Webhook';
  return [
    ...strategyErrors,
    ...(isPresent(clientConfig) ? [forbidden(`${path}.webhookClientConfig`, why)] : []),
    ...(textsOf(conversionReviewVersions).length > 0 ? [forbidden(`${path}.conversionReviewVersions`, why)] : []),
  ];
}

function clientErrors(config: unknown, path: string): FieldError[] {
  if (!isPresent(config)) return [required(path, 'required when strategy is set to Webhook')];
  const { url, service } = fieldsOf<{ url: string; service: unknown }>(config);
  if (isPresent(url) === isPresent(service)) return [required(path, 'exactly one of url or service is required')];
  return isPresent(url) ? urlErrors(textOf(url), `${path}.url`) : serviceErrors(service, `${path}.service`);
}

/** Kubernetes' `ValidateWebhookURL`: https, with a host, and nothing of a user, a query or a fragment. */
function urlErrors(text: string, path: string): FieldError[] {
  const form = '; desired format: https://host[/path]';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return [required(path, `url must be a valid URL: parse ${JSON.stringify(text)}: invalid URI for request${form}`)];
  }
  return [
    ...(url.protocol === 'https:'
      ? []
      : [invalid(path, url.protocol.slice(0, -1), `'https' is the only allowed URL scheme${form}`)]),
    ...(url.host === '' ? [invalid(path, url.host, `host must be specified${form}`)] : []),
    ...(url.username === '' && url.password === ''
      ? []
      : [invalid(path, text, 'user information is not permitted in the URL')]),
    ...(url.hash === '' ? [] : [invalid(path, url.hash.slice(1), 'fragments are not permitted in the URL')]),
    ...(url.search === '' ? [] : [invalid(path, url.search.slice(1), 'query parameters are not permitted in the URL')]),
  ];
}

function serviceErrors(service: unknown, path: string): FieldError[] {
  const { name, namespace, port } = fieldsOf<{ name: string; namespace: string; port: number }>(service);
  return [
    ...(textOf(name) === '' ? [required(`${path}.name`, 'service name is required')] : []),
    ...(textOf(namespace) === '' ? [required(`${path}.namespace`, 'service namespace is required')] : []),
    ...(typeof port === 'number' && (port < 1 || port > 65_535)
      ? [invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive')]
      : []),
  ];
}

function reviewVersionErrors(versions: readonly string[], path: string): FieldError[] {
  if (versions.length === 0) return [required(path)];
  const errors = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) return [invalid(`${path}[${index}]`, version, 'duplicate version')];
    return isDns1035Label(version).map((detail) => invalid(`${path}[${index}]`, version, detail));
  });
  if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return errors;
  return [...errors, invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`)];
}
