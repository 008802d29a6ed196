import _ from 'lodash';
export default function () { _(); }
