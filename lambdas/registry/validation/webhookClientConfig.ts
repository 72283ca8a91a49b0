import type { FieldError } from '../../objects/FieldError.ts';
import { isDns1123Subdomain } from '../../objects/nameFormats.ts';
import type { Check } from './checks.ts';
import { invalid, required } from './fieldErrors.ts';
import { fieldsOf, isPresent, textOf } from './fieldsOf.ts';

interface ServiceFields {
  readonly name: string;
  readonly namespace: string;
  readonly path: string;
  readonly port: number;
}

const HIGHEST_PORT = 65_535;

/** Checks how a webhook is reached, of admission or of a conversion: by one of a URL and a service. */
export const webhookClientConfig: Check = (config, path) => {
  const { url, service } = fieldsOf<{ url: string; service: unknown }>(config);
  if (isPresent(url) === isPresent(service)) return [required(path, 'exactly one of url or service is required')];
  return isPresent(url) ? urlErrors(textOf(url), `${path}.url`) : serviceErrors(service, `${path}.service`);
};

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

/** Kubernetes' `ValidateWebhookService`. */
function serviceErrors(service: unknown, path: string): FieldError[] {
  const { name, namespace, port, path: urlPath } = fieldsOf<ServiceFields>(service);
  return [
    ...(textOf(name) === '' ? [required(`${path}.name`, 'service name is required')] : []),
    ...(textOf(namespace) === '' ? [required(`${path}.namespace`, 'service namespace is required')] : []),
    ...(typeof port === 'number' && (port < 1 || port > HIGHEST_PORT)
      ? [invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive')]
      : []),
    ...pathErrors(textOf(urlPath), `${path}.path`),
  ];
}

function pathErrors(text: string, path: string): FieldError[] {
  if (text === '' || text === '/') return [];
  if (text === '//') return [invalid(path, text, 'segment[0] may not be empty')];
  const start = text.startsWith('/') ? [] : [invalid(path, text, "must start with a '/'")];
  const segments = text.slice(1).replace(/\/$/, '').split('/');
  const errors = segments.flatMap((segment, index) => {
    const why = segment === '' ? ['may not be empty'] : isDns1123Subdomain(segment);
    return why.map((one) =>
      invalid(path, text, segment === '' ? `segment[${index}] ${one}` : `segment[${index}]: ${one}`),
    );
  });
  return [...start, ...errors];
}
