/**
 * A script with what Swagger UI leaves out for the keyboard and for readers of screens: a plugin, and a watch of the
 * page that names its fields. It begins when the page has `#reference`.
 */
export const ACCESSIBLE_SCRIPT = `
// The path of an operation is within the button that opens it, where no link may be; opening changes the address too.
const plainPaths = ({ React }) => ({
  wrapComponents: {
    OperationSummaryPath: (Path) => (props) => {
      const getComponent = (name, ...rest) =>
        name === 'DeepLink' ? ({ text }) => React.createElement('span', null, text) : props.getComponent(name, ...rest);
      return React.createElement(Path, { ...props, getComponent });
    },
  },
});

const named = (element, name) => {
  if (!element.hasAttribute('aria-label')) element.setAttribute('aria-label', name);
};

const completeElements = () => {
  const all = (selector) => reference.querySelectorAll(selector);
  for (const select of all('#servers')) named(select, 'Server');
  for (const button of all('.close-modal')) named(button, 'Close');
  // Their words, such as "Logout", are their names.
  for (const button of all('.modal-btn[aria-label]')) button.removeAttribute('aria-label');
  for (const row of all('tr[data-param-name]'))
    for (const field of row.querySelectorAll('input, select, textarea')) named(field, row.dataset.paramName);
  // Boxes that scroll.
  for (const box of all('pre.microlight')) box.tabIndex = 0;
};

const reference = document.getElementById('reference');
new MutationObserver(completeElements).observe(reference, {
  ...{ subtree: true, childList: true, attributes: true, attributeFilter: ['aria-label'] },
});
`;
