import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

interface KubeconfigText {
  readonly users: readonly { readonly name: string }[];
}

/** Returns a kubeconfig whose users are known to a program alone, as those of the stack are. The program tells the token that `writeExecToken` has written into the directory. */
export function withExecCredentials(kubeconfig: string, token: string, directory: string): string {
  writeExecToken(token, directory);
  const command = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never' };
  const user = { exec: { ...command, command: 'cat', args: [credentialsIn(directory)] } };
  const parsed = parse(kubeconfig) as KubeconfigText;
  return stringify({ ...parsed, users: parsed.users.map(({ name }) => ({ name, user })) });
}

export function writeExecToken(token: string, directory: string): void {
  const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } };
  const path = credentialsIn(directory);
  writeFileSync(`${path}.new`, JSON.stringify(credential));
  // The program may read it just now.
  renameSync(`${path}.new`, path);
}

function credentialsIn(directory: string): string {
  return join(directory, 'credentials.json');
}
