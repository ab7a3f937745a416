import { type KernelAccess, KernelError, type VariableRow } from '@jupyter-ac/page';

export function variable(name: string, more: Partial<VariableRow> = {}): VariableRow {
  return {
    ...{ name, kind: 'value', type: 'int', is_known: true, shape: null, length: null },
    ...{ dtype: '', size_bytes: 28, line: '1', ...more },
  };
}

/** A kernel with these variables, or with what is in its way. */
export class FakeKernelAccess {
  variables: VariableRow[] = [variable('apples', { type: 'DataFrame', shape: [3, 2] }), variable('os')];
  obstacle: KernelError | null = null;
  loads = 0;
  error: Awaited<ReturnType<KernelAccess['lastError']>> = null;
  readonly listeners = new Set<() => void>();

  async listVariables() {
    this.#check();
    return { variables: this.variables, left_out: 0 };
  }

  async describeVariable(name: string) {
    this.#check();
    if (!this.variables.some((row) => row.name === name)) {
      throw new KernelError(`There is no variable ${name}.`, 'not_found');
    }
    return { text: `${name}: DataFrame` };
  }

  async lastError() {
    this.#check();
    return this.error;
  }

  async state() {
    return { state: 'ready', text: '', path: 'weather/a.ipynb' };
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async loadExtension(): Promise<void> {
    this.loads += 1;
    this.obstacle = null;
    for (const listener of this.listeners) listener();
  }

  get real(): KernelAccess {
    return this as unknown as KernelAccess;
  }

  #check(): void {
    if (this.obstacle) throw this.obstacle;
  }
}
