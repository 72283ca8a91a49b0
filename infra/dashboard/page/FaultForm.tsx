import { useState } from 'preact/hooks';
import type { StoredFault } from '../../testCluster/controls/TestingObjects.ts';

type FaultSpec = StoredFault['spec'];

const CALLERS = ['clients', 'controllers', 'everyone'] as const;
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const;
const EFFECTS: Readonly<Record<string, Pick<FaultSpec, 'respond' | 'conflict' | 'delay'>>> = {
  'is refused: ServiceUnavailable': { respond: { reason: 'ServiceUnavailable' } },
  'is refused: TooManyRequests': { respond: { reason: 'TooManyRequests' } },
  'is refused: Forbidden': { respond: { reason: 'Forbidden' } },
  'is refused: InternalError': { respond: { reason: 'InternalError' } },
  'meets a conflict': { conflict: true },
  'is answered after 5s': { delay: '5s' },
};

/** Makes a Fault. */
export function FaultForm({ add }: { readonly add: (spec: FaultSpec) => void }) {
  const [verb, setVerb] = useState('create');
  const [resource, setResource] = useState('pods');
  const [by, setBy] = useState('controllers');
  const [effect, setEffect] = useState('is refused: ServiceUnavailable');
  const [times, setTimes] = useState('3');
  return (
    <form
      class="bar"
      aria-label="Fault"
      onSubmit={(event) => {
        event.preventDefault();
        // The API says what is wrong with a text that is no count, as with all that was chosen.
        const limit = /^\d+$/.test(times) ? Number(times) : times;
        const fields = { ...(verb !== 'any verb' && { verb }), ...(resource !== '' && { resource }), by };
        add({ ...fields, ...EFFECTS[effect], ...(times !== '' && { times: limit }) } as FaultSpec);
      }}
    >
      <Select label="Verb" value={verb} choices={['any verb', ...VERBS]} choose={setVerb} />
      of
      <Text label="Resource" value={resource} placeholder="any resource" write={setResource} />
      by
      <Select label="Caller" value={by} choices={CALLERS} choose={setBy} />
      <Select label="Effect" value={effect} choices={Object.keys(EFFECTS)} choose={setEffect} />
      <Text label="Times" value={times} placeholder="always" write={setTimes} />
      times
      <button>Add fault</button>
    </form>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly choose: (value: string) => void;
}

function Select({ label, value, choices, choose }: SelectProps) {
  return (
    <select aria-label={label} onChange={(event) => choose(event.currentTarget.value)}>
      {choices.map((one) => (
        <option key={one} selected={one === value}>
          {one}
        </option>
      ))}
    </select>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly write: (value: string) => void;
}

function Text({ label, value, placeholder, write }: TextProps) {
  return (
    <input
      aria-label={label}
      size={Math.max(6, value.length, placeholder.length)}
      placeholder={placeholder}
      value={value}
      onInput={(event) => write(event.currentTarget.value)}
    />
  );
}
