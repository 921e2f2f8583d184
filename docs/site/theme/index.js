import DefaultTheme from 'vitepress/theme';
import './style.css';
import RunnableExample from './RunnableExample.vue';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('RunnableExample', RunnableExample);
  },
};
