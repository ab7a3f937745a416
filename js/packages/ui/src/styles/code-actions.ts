/** Styles of the buttons at code blocks, and of the question before a cell is replaced. */

/** Text, for a style sheet that is added to a shadow root which exists. */
export const codeActionStyles = `
  .code-head:has(.cell-buttons) {
    flex-wrap: wrap;
    container-type: inline-size;
  }
  .cell-button .short {
    display: none;
  }
  @container (max-width: 340px) {
    .cell-button .short {
      display: inline;
    }
    .cell-button .long {
      display: none;
    }
    .cell-buttons > button {
      padding: 1px 5px;
    }
  }
  .cell-buttons {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    margin-left: auto;
  }
  .cell-button {
    padding: 1px 8px;
    color: var(--ac-muted);
    font-size: 11px;
  }
  .cell-button:hover {
    background: var(--ac-raised);
    color: var(--ac-ink);
  }
  .cell-button[hidden] {
    display: none;
  }
  .cell-note:not(:empty) {
    background: var(--ac-bg);
    font-size: 12px;
  }
  .prose .cell-note p {
    margin: 0;
    padding: 6px 12px;
    border-top: 1px solid var(--ac-line);
  }
  .cell-note [role='alert'] {
    color: var(--ac-danger);
  }
  .cell-note .cell-warning {
    color: var(--ac-warning);
  }
  .prose .cell-note .cell-choice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
  }
`;
