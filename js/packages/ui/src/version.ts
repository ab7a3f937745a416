declare const __AC_VERSION__: string;

/** Of the package that this bundle was built in. */
export const VERSION: string = __AC_VERSION__;
