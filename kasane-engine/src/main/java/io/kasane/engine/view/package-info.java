/* SPDX-License-Identifier: Apache-2.0 */
/** Shows over CQL and JMX how engines stand; nobody who looks waits for one. */
package io.kasane.engine.view;
